// SPDX-License-Identifier: Apache-2.0
#include "core/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace stageloom::detail {

void checkFailed(const char* condition, const char* file, int line, const char* what)
{
    std::fprintf(
        stderr, "stageloom: internal error at %s:%d: %s (%s)\n", file, line, what, condition);
    std::abort();
}

} // namespace stageloom::detail
