// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace stageloom::detail {
[[noreturn]] void checkFailed(const char* condition, const char* file, int line, const char* what);
}

// A broken invariant is a bug of ours: it stops the program, in every build, and says where.
#define STAGELOOM_CHECK(condition, what)                                                           \
    do {                                                                                           \
        if (!(condition)) [[unlikely]]                                                             \
            ::stageloom::detail::checkFailed(#condition, __FILE__, __LINE__, what);                \
    } while (false)
