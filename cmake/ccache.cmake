# Compiles through ccache where it is installed. For hits with precompiled headers ccache has to be
# told CCACHE_SLOPPINESS=pch_defines,time_macros, which the presets do.
find_program(COLLAPSE_CCACHE ccache)
mark_as_advanced(COLLAPSE_CCACHE)
if(COLLAPSE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${COLLAPSE_CCACHE})
endif()
