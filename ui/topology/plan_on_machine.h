// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/prediction.h"
#include "core/plan/traffic.h"
#include <QString>
#include <map>
#include <memory>

namespace stageloom {

// What the open plan puts on the devices and links of its machine, for picture and matrix. Empty
// where another machine is looked at, or nothing is predicted.
struct PlanOnMachine {
    struct DeviceLoad {
        int stage = -1;
        QString layers; // "blocks 4–7"
        double memory = 0, room = 0; // bytes; 0: not known
    };
    std::map<int, DeviceLoad> devices; // by device index
    std::vector<PairTraffic> traffic;

    [[nodiscard]] const PairTraffic* between(
        int a, int b) const; // null: the plan uses no such link
    [[nodiscard]] double mostBytes() const; // of a pair
    [[nodiscard]] double bytesAt(int device) const; // of all its pairs
};

// `prediction`: of this plan; null: stages and traffic are known from the plan and its model alone.
PlanOnMachine planOnMachine(const Plan& plan, const Prediction* prediction);
// GPUs of one server that exchange data through host memory.
bool lacksPeerAccess(const Topology& topology, int a, int b);
// What pairs without peer access that the plan uses cost, in a sentence; empty: there are none.
QString peerAccessText(const Topology& topology, const PlanOnMachine& plan);

} // namespace stageloom
