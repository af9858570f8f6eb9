// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/verify.h"

namespace stageloom {

// Rule "update": where a schedule updates at all, each stage updates once a batch, in the order of
// batches, after the batch's last backward; and a batch's part is handed in (ALLREDUCE) after that
// backward and before the update that waits for it.
void verifyUpdates(const Schedule& schedule, ScheduleProof& proof);

} // namespace stageloom
