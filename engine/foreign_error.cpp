// SPDX-License-Identifier: Apache-2.0
#include "engine/foreign_error.h"

#include "engine/nn/aten.h"
#include <new>
#include <system_error>

namespace stageloom::engine {

namespace {

Error outOfMemory(const std::string& who)
{
    return { ErrorKind::Infeasible,
        who + " ran out of memory; a smaller microbatch, more stages or recompute helps." };
}

} // namespace

Error foreignError(const std::string& who)
{
    try {
        throw;
    } catch (const c10::Error& error) {
        const std::string words = error.what_without_backtrace();
        if (words.find("can't allocate memory") != std::string::npos)
            return outOfMemory(who);
        return { ErrorKind::Internal,
            fmt::format("{} stopped on an error of LibTorch: {}.", who, words) };
    } catch (const std::bad_alloc&) {
        return outOfMemory(who);
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::resource_unavailable_try_again)
            return { ErrorKind::Infeasible,
                fmt::format("{} could not start a thread ({}); fewer stages, or a higher limit of "
                            "processes (ulimit -u) helps.",
                    who, error.what()) };
        return { ErrorKind::Io, fmt::format("{} stopped on an error: {}.", who, error.what()) };
    } catch (const std::exception& error) {
        return { ErrorKind::Internal,
            fmt::format("{} stopped on an unexpected error: {}.", who, error.what()) };
    } catch (...) {
        return { ErrorKind::Internal, who + " stopped on an unexpected error." };
    }
}

} // namespace stageloom::engine
