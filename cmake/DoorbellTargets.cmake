# How every room is built: one static library a room, one test executable a room.
#   doorbell_room(NAME SOURCES a.cc ... DEPENDS other_room ...)   makes doorbell_NAME
#   doorbell_test(NAME SOURCES a_test.cc ... DEPENDS room ...)    makes test_NAME, one CTest entry per TEST
# What a room may include follows from DEPENDS; testbenches/system/layering checks the includes.
include(GoogleTest)
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Boost REQUIRED COMPONENTS context)
pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(PCAP REQUIRED IMPORTED_TARGET libpcap)
pkg_check_modules(TOMLPP REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(CLI11 REQUIRED IMPORTED_TARGET CLI11)
find_library(DEFLATE_LIBRARY deflate REQUIRED)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

set(DOORBELL_SANITIZE "" CACHE STRING "Value for -fsanitize=, for example address,undefined")
option(DOORBELL_FUZZ "Build the libFuzzer harnesses (needs clang)" OFF)

# Release keeps asserts off and inlines across rooms: the simulator's hot path crosses seven of them.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  option(DOORBELL_LTO "Link-time optimisation" ON)
else()
  option(DOORBELL_LTO "Link-time optimisation" OFF)
endif()

add_library(doorbell_options INTERFACE)
target_include_directories(doorbell_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(doorbell_options INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Werror)
if(DOORBELL_SANITIZE)
  target_compile_options(doorbell_options INTERFACE
    -fsanitize=${DOORBELL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(doorbell_options INTERFACE -fsanitize=${DOORBELL_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # False alarms inside the standard library once it is instrumented (std::regex, g++ 12).
    target_compile_options(doorbell_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()

function(doorbell_room name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  set(target doorbell_${name})
  if(ARG_SOURCES)
    add_library(${target} STATIC ${ARG_SOURCES})
    set(scope PUBLIC)
    if(DOORBELL_LTO)
      set_property(TARGET ${target} PROPERTY INTERPROCEDURAL_OPTIMIZATION ON)
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_link_libraries(${target} ${scope} doorbell_options ${ARG_LIBRARIES})
  foreach(dep IN LISTS ARG_DEPENDS)
    target_link_libraries(${target} ${scope} doorbell_${dep})
  endforeach()
endfunction()

function(doorbell_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  find_package(GTest REQUIRED)
  add_executable(test_${name} ${ARG_SOURCES})
  target_link_libraries(test_${name} PRIVATE doorbell_options GTest::gmock_main ${ARG_LIBRARIES})
  foreach(dep IN LISTS ARG_DEPENDS)
    target_link_libraries(test_${name} PRIVATE doorbell_${dep})
  endforeach()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Tests that count allocations replace operator new; g++ 12 then sees free() meet it when inlined.
    target_compile_options(test_${name} PRIVATE -Wno-mismatched-new-delete)
  endif()
  # One process per TEST: SystemC allows one elaboration in a process.
  gtest_discover_tests(test_${name} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT "SC_COPYRIGHT_MESSAGE=DISABLE")
endfunction()
