# Debian packages only (packages.txt); all of them are included as system headers.
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(Boost 1.74 REQUIRED)  # headers only: Multiprecision
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)  # the tool only
find_package(ZLIB REQUIRED)      # pages
find_package(tinyxml2 REQUIRED)  # models of MuJoCo

# GMP and METIS come without a CMake package. METIS and oneTBB are optional.
find_path(GMP_INCLUDE_DIR gmp.h REQUIRED)
find_library(GMP_LIBRARY gmp REQUIRED)
add_library(collapse_gmp INTERFACE)
add_library(collapse::gmp ALIAS collapse_gmp)
target_include_directories(collapse_gmp SYSTEM INTERFACE ${GMP_INCLUDE_DIR})
target_link_libraries(collapse_gmp INTERFACE ${GMP_LIBRARY})

# What the public headers need.
add_library(collapse_dependencies INTERFACE)
add_library(collapse::dependencies ALIAS collapse_dependencies)
target_link_libraries(collapse_dependencies INTERFACE
  Eigen3::Eigen fmt::fmt Boost::headers collapse::gmp Threads::Threads)

find_path(METIS_INCLUDE_DIR metis.h)
find_library(METIS_LIBRARY metis)
if(METIS_INCLUDE_DIR AND METIS_LIBRARY)
  add_library(collapse_metis INTERFACE)
  add_library(collapse::metis ALIAS collapse_metis)
  target_include_directories(collapse_metis SYSTEM INTERFACE ${METIS_INCLUDE_DIR})
  target_link_libraries(collapse_metis INTERFACE ${METIS_LIBRARY})
  target_compile_definitions(collapse_metis INTERFACE COLLAPSE_HAS_METIS=1)
endif()
find_package(TBB QUIET)
if(TARGET TBB::tbb)
  add_library(collapse_tbb INTERFACE)
  add_library(collapse::tbb ALIAS collapse_tbb)
  target_link_libraries(collapse_tbb INTERFACE TBB::tbb)
  target_compile_definitions(collapse_tbb INTERFACE COLLAPSE_HAS_TBB=1)
endif()
mark_as_advanced(GMP_INCLUDE_DIR GMP_LIBRARY METIS_INCLUDE_DIR METIS_LIBRARY)
