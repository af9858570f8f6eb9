// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/action.h"

#include "core/base/check.h"

namespace stageloom {

const char* kindName(ActionKind kind)
{
    switch (kind) {
    case ActionKind::Forward:
        return "F";
    case ActionKind::Backward:
        return "B";
    case ActionKind::BackwardInput:
        return "I";
    case ActionKind::BackwardWeight:
        return "W";
    case ActionKind::Recompute:
        return "R";
    case ActionKind::Update:
        return "U";
    case ActionKind::Send:
        return "SEND";
    case ActionKind::Recv:
        return "RECV";
    case ActionKind::AllReduce:
        return "ALLREDUCE";
    }
    STAGELOOM_CHECK(false, "an action kind without a name");
}

} // namespace stageloom
