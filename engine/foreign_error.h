// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

namespace stageloom::engine {

// The exception that is being handled, of LibTorch or the standard library, as one sentence about
// `who` ("Worker 1"). For the doors where foreign exceptions end: a worker's loop, a run, a
// command.
Error foreignError(const std::string& who);

// `work`'s result, or its exception as an error.
template <typename Work> auto caught(const std::string& who, Work work) -> decltype(work())
{
    try {
        return work();
    } catch (...) {
        return tl::unexpected<Error>(foreignError(who));
    }
}

} // namespace stageloom::engine
