// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace stageloom::engine {

// Median one-way time of a hand-over between two threads, in seconds; `spin` as in a run that has a
// core a worker.
double handOverSeconds(bool spin);

} // namespace stageloom::engine
