// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/thread_setup.h"

#include "engine/nn/aten.h"
#include <malloc.h>

namespace stageloom::engine {

void configureComputeThread(int threads)
{
    at::set_num_threads(threads);
    at::globalContext().setFlushDenormal(true);
}

void configureAllocator()
{
    constexpr int kThreshold = 512 << 20; // bytes; above glibc's own dynamic limit of 32 MiB
    mallopt(M_MMAP_THRESHOLD, kThreshold);
    mallopt(M_TRIM_THRESHOLD, kThreshold);
}

} // namespace stageloom::engine
