// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/schedule.h"
#include <vector>

namespace stageloom::passes {

// Writes into every compute action the version it reads and into every update the one it makes, by
// the schedule's rule: Flush t, DelayOne max(t-1, 0) (2bw.md §1.2); Stash the newest at the
// forward, the same at the backward.
void assignVersions(Schedule& schedule);

// Puts a Recompute before every backward of the stages marked.
void addRecompute(Schedule& schedule, const std::vector<bool>& recompute);

// For updates that cross stages (gradient-norm clip, tied weights): an ALLREDUCE right after each
// stage's last backward of a batch hands in its part, and the update moves to right before the
// first action that needs its version. F and B keep their slots where m ≥ d (2bw.md §2).
void deferUpdates(Schedule& schedule);

// Adds the transfers between workers: Send right after the action that makes a tensor, Recv right
// before its use.
void addTransfers(Schedule& schedule);

} // namespace stageloom::passes
