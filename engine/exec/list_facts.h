// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/schedule/demand.h"

namespace stageloom::engine {

// Evaluation happens on each worker right after its last update of a batch. That cannot deadlock
// iff no action before this point, on any worker, needs one that comes after it on another: checked
// for the points of the first batches, after which lists repeat themselves.
Status evaluationPointsClosed(const Schedule& schedule);

} // namespace stageloom::engine
