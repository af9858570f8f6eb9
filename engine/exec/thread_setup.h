// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace stageloom::engine {

// First act of every thread that computes: its own number of intra-op threads (a new thread does
// not inherit it, and bits depend on it) and denormals flushed (second moments start tiny). The
// same for all threads of a process.
void configureComputeThread(int threads);

// Keeps freed tensors in the process instead of handing pages back; first thing in main().
void configureAllocator();

} // namespace stageloom::engine
