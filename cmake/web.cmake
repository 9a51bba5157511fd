# collapse_view_page: a library with the page that `view` fills, built from web/ by npm. Without npm (or with
# COLLAPSE_WEB off) the page is empty, and `view` says so. It waits for nothing else in the build.
option(COLLAPSE_WEB "Build the page of `collapse view` (needs Node.js and npm)" ON)
find_program(COLLAPSE_NPM npm)
mark_as_advanced(COLLAPSE_NPM)

set(view_page ${PROJECT_BINARY_DIR}/view_page.cpp)
if(COLLAPSE_WEB AND COLLAPSE_NPM)
  file(GLOB_RECURSE view_sources CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/web/src/view/* ${PROJECT_SOURCE_DIR}/web/src/stage/*)
  file(GLOB view_settings CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/web/*.ts ${PROJECT_SOURCE_DIR}/web/*.mjs ${PROJECT_SOURCE_DIR}/web/*.json)
  add_custom_command(OUTPUT ${view_page}
    COMMAND ${PROJECT_SOURCE_DIR}/web/build_view ${view_page}
    DEPENDS ${view_sources} ${view_settings} ${PROJECT_SOURCE_DIR}/web/view.html ${PROJECT_SOURCE_DIR}/web/build_view
    COMMENT "Building the page of `collapse view`" VERBATIM)
else()
  message(WARNING "without npm, or with COLLAPSE_WEB off: `collapse view` will have no page")
  file(CONFIGURE OUTPUT ${view_page} CONTENT
    "#include \"cli/view_page.hpp\"\n\nstd::string_view collapse::cli::view_page() { return {}; }\n")
endif()
add_library(collapse_view_page STATIC ${view_page})
target_include_directories(collapse_view_page PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(collapse_view_page PRIVATE collapse::flags)
