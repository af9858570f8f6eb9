# SPDX-License-Identifier: Apache-2.0
# LibTorch out of the PyPI wheel, as imported targets of our own: the wheel's CMake package stops on a machine without
# a CUDA toolkit. Layout (packaging/setup): ${LIBTORCH_ROOT}/torch/{include,lib} and ${LIBTORCH_ROOT}/nvidia.

if(NOT LIBTORCH_ROOT)
  # Where packaging/setup lays it by default.
  if(DEFINED ENV{XDG_CACHE_HOME})
    set(_cache "$ENV{XDG_CACHE_HOME}")
  else()
    set(_cache "$ENV{HOME}/.cache")
  endif()
  set(LIBTORCH_ROOT "${_cache}/stageloom/libtorch-2.11.0-cpu")
endif()
if(NOT EXISTS "${LIBTORCH_ROOT}/torch/lib/libtorch_cpu.so")
  message(FATAL_ERROR "LibTorch is not at LIBTORCH_ROOT='${LIBTORCH_ROOT}'. Run packaging/setup, or configure "
    "with -DSTAGELOOM_BUILD_ENGINE=OFF (preset core) to build without it.")
endif()
set(_torch "${LIBTORCH_ROOT}/torch")
# The wheel's header folder brings another fmt (headers only, no library): the one that core links must be found first.
get_target_property(_fmt fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
list(GET _fmt 0 _fmt)
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/fmt_first")
file(CREATE_LINK "${_fmt}/fmt" "${PROJECT_BINARY_DIR}/fmt_first/fmt" SYMBOLIC)
add_library(torch::c10 SHARED IMPORTED)
set_target_properties(torch::c10 PROPERTIES IMPORTED_LOCATION "${_torch}/lib/libc10.so")
add_library(torch::gomp SHARED IMPORTED)
set_target_properties(torch::gomp PROPERTIES IMPORTED_LOCATION "${_torch}/lib/libgomp.so.1" IMPORTED_SONAME libgomp.so.1)
add_library(torch::cpu SHARED IMPORTED)
set_target_properties(torch::cpu PROPERTIES
  IMPORTED_LOCATION "${_torch}/lib/libtorch_cpu.so"
  INTERFACE_INCLUDE_DIRECTORIES "${PROJECT_BINARY_DIR}/fmt_first;${_torch}/include;${_torch}/include/torch/csrc/api/include"
  INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${PROJECT_BINARY_DIR}/fmt_first;${_torch}/include;${_torch}/include/torch/csrc/api/include"
  INTERFACE_LINK_LIBRARIES "torch::c10;torch::gomp"
  IMPORTED_LINK_DEPENDENT_LIBRARIES torch::c10
  INTERFACE_LINK_OPTIONS "LINKER:-rpath-link,${LIBTORCH_ROOT}/nvidia/cu13/lib:${_torch}/lib")
