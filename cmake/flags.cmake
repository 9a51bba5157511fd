# collapse::flags: how our own code is compiled. Not passed on to users of the library.

# Flags that everything in one build must share.
# The same input gives the same bytes: no fused multiply-add behind our back, no -march=native.
add_compile_options(-ffp-contract=off)
if(COLLAPSE_SANITIZE)
  add_compile_options(-fsanitize=${COLLAPSE_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${COLLAPSE_SANITIZE})
endif()
if(COLLAPSE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "COLLAPSE_FUZZ needs Clang: configure with -DCMAKE_CXX_COMPILER=clang++")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

add_library(collapse_flags INTERFACE)
add_library(collapse::flags ALIAS collapse_flags)
target_compile_options(collapse_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-align
  $<$<BOOL:${COLLAPSE_WERROR}>:-Werror>)

# GCC's flow-based warnings misfire in optimised library code: std::string's operator+ (GCC bug
# 105651), Eigen's fixed-size kernels; in sanitized code more so. They are off or not errors, and
# -Wnull-dereference is left out for the same reason.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(collapse_flags INTERFACE
    -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
  if(CMAKE_UNITY_BUILD)  # where it takes the joined files for one header
    target_compile_options(collapse_flags INTERFACE -Wno-subobject-linkage)
  endif()
  if(COLLAPSE_SANITIZE)
    target_compile_options(collapse_flags INTERFACE -Wno-maybe-uninitialized)
  else()
    target_compile_options(collapse_flags INTERFACE -Wno-error=maybe-uninitialized)
  endif()
endif()

# UBSan's checks of every pointer double the time to compile. AddressSanitizer stops at null without
# them, and Eigen asserts the alignment that matters on this machine.
if(COLLAPSE_SANITIZE MATCHES "undefined")
  add_compile_options(-fno-sanitize=null,alignment)
endif()
