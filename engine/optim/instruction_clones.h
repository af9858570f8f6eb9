// SPDX-License-Identifier: Apache-2.0
#pragma once

// One compiled copy for each generation of the instruction set, chosen when the program is loaded.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define STAGELOOM_CLONES                                                                           \
    __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define STAGELOOM_CLONES
#endif
