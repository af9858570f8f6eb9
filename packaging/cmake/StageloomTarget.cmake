# SPDX-License-Identifier: Apache-2.0
# Flags and helpers that every target of the project shares.

add_library(stageloom_flags INTERFACE)
target_compile_features(stageloom_flags INTERFACE cxx_std_20)
target_include_directories(stageloom_flags INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(stageloom_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast
  -Wno-restrict>) # GCC 12 sees overlaps in std::string::insert that are not there (GCC bug 105651)
if(STAGELOOM_UNITY)
  # It takes a source that is included for a header; presets that compile each source alone keep it on.
  target_compile_options(stageloom_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
endif()
if(STAGELOOM_WERROR)
  target_compile_options(stageloom_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(STAGELOOM_SANITIZE)
  target_compile_options(stageloom_flags INTERFACE
    -fsanitize=${STAGELOOM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(stageloom_flags INTERFACE -fsanitize=${STAGELOOM_SANITIZE})
endif()

# stageloom_tests_LABEL builds the test programs of one label.
function(stageloom_label name)
  foreach(label IN LISTS ARGN)
    if(NOT TARGET stageloom_tests_${label})
      add_custom_target(stageloom_tests_${label})
    endif()
    add_dependencies(stageloom_tests_${label} ${name})
  endforeach()
endfunction()

# stageloom_test(name SOURCES … LIBS … LABELS … [TIMEOUT s]): one GoogleTest program, its cases found by CTest.
# OWN_MAIN: the sources bring one.
function(stageloom_test name)
  cmake_parse_arguments(T "OWN_MAIN" "TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 60)
  endif()
  add_executable(${name} ${T_SOURCES})
  target_link_libraries(${name} PRIVATE stageloom_flags ${T_LIBS} GTest::gtest GTest::gmock)
  if(NOT T_OWN_MAIN)
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
  endif()
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(${name} PRIVATE
    STAGELOOM_SOURCE_DIR="${PROJECT_SOURCE_DIR}" STAGELOOM_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
    PROPERTIES TIMEOUT ${T_TIMEOUT} LABELS "${T_LABELS}" ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
  stageloom_label(${name} ${T_LABELS})
endfunction()

# stageloom_ui_test(…): as stageloom_test, with a QApplication on the offscreen platform around the cases.
function(stageloom_ui_test name)
  stageloom_test(${name} ${ARGN} OWN_MAIN)
  target_sources(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/support/qt_main.cpp")
  target_link_libraries(${name} PRIVATE stageloom_ui Qt6::Test)
endfunction()

# stageloom_bench(name SOURCES … LIBS …): a benchmark program, built by `packaging/bench` only.
function(stageloom_bench name)
  cmake_parse_arguments(T "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${T_SOURCES})
  target_link_libraries(${name} PRIVATE stageloom_flags ${T_LIBS})
  target_compile_definitions(${name} PRIVATE
    STAGELOOM_SOURCE_DIR="${PROJECT_SOURCE_DIR}" STAGELOOM_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  if(NOT TARGET stageloom_benches)
    add_custom_target(stageloom_benches)
  endif()
  add_dependencies(stageloom_benches ${name})
endfunction()
