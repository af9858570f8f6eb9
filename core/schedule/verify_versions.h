// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/verify.h"

namespace stageloom {

// The weight-version part of the proof: each stage's list alone, since a stage makes and drops its
// own versions. Checks the rule max(floor((k-1)/m)-1, 0) (or the schedule's own), that a version
// read exists, that F and B of a microbatch read the same one, that updates come once a batch and
// in order; counts the versions alive.
void verifyVersions(const Schedule& schedule, const VerifyOptions& options, ScheduleProof& proof);

} // namespace stageloom
