# collapse_view_page(TARGET): gives the tool the page that `view` fills, built from web/ by npm. Without npm (or
# with COLLAPSE_WEB off) the tool is built without it, and `view` says so.
option(COLLAPSE_WEB "Build the page of `collapse view` (needs Node.js and npm)" ON)
find_program(COLLAPSE_NPM npm)
mark_as_advanced(COLLAPSE_NPM)

function(collapse_view_page target)
  set(page ${PROJECT_BINARY_DIR}/view_page.cpp)
  if(COLLAPSE_WEB AND COLLAPSE_NPM)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS
      ${PROJECT_SOURCE_DIR}/web/src/view/* ${PROJECT_SOURCE_DIR}/web/src/stage/*)
    file(GLOB settings CONFIGURE_DEPENDS
      ${PROJECT_SOURCE_DIR}/web/*.ts ${PROJECT_SOURCE_DIR}/web/*.mjs ${PROJECT_SOURCE_DIR}/web/*.json)
    add_custom_command(OUTPUT ${page}
      COMMAND ${PROJECT_SOURCE_DIR}/web/build_view ${page}
      DEPENDS ${sources} ${settings} ${PROJECT_SOURCE_DIR}/web/view.html ${PROJECT_SOURCE_DIR}/web/build_view
      COMMENT "Building the page of `collapse view`" VERBATIM)
  else()
    message(WARNING "without npm, or with COLLAPSE_WEB off: `collapse view` will have no page")
    file(CONFIGURE OUTPUT ${page} CONTENT
      "#include \"cli/view_page.hpp\"\n\nstd::string_view collapse::cli::view_page() { return {}; }\n")
  endif()
  target_sources(${target} PRIVATE ${page})
endfunction()
