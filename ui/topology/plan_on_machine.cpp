// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/plan_on_machine.h"

#include "core/plan/cost_model.h"
#include "ui/state/topology_state.h"
#include "ui/theme/text.h"
#include "ui/topology/link_look.h"
#include "ui/widgets/layer_words.h"
#include <QCoreApplication>
#include <algorithm>

namespace stageloom {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(PlanOnMachine)
};

} // namespace

const PairTraffic* PlanOnMachine::between(int a, int b) const
{
    const auto [low, high] = std::minmax(a, b);
    for (const PairTraffic& pair : traffic)
        if (pair.a == low && pair.b == high)
            return &pair;
    return nullptr;
}

double PlanOnMachine::mostBytes() const
{
    double most = 0;
    for (const PairTraffic& pair : traffic)
        most = std::max(most, pair.bytes());
    return most;
}

double PlanOnMachine::bytesAt(int device) const
{
    double sum = 0;
    for (const PairTraffic& pair : traffic)
        if (pair.a == device || pair.b == device)
            sum += pair.bytes();
    return sum;
}

PlanOnMachine planOnMachine(const Plan& plan, const Prediction* prediction)
{
    PlanOnMachine made;
    const Model* model = prediction != nullptr ? &prediction->model : nullptr;
    for (int s = 0; s < plan.depth(); ++s) {
        const PlanStage& stage = plan.stages[static_cast<std::size_t>(s)];
        PlanOnMachine::DeviceLoad load;
        load.stage = s;
        load.layers = layerWords(model, stage.firstLayer, stage.lastLayer);
        if (prediction != nullptr && s < static_cast<int>(prediction->stages.size())) {
            load.memory = prediction->stages[static_cast<std::size_t>(s)].memory.total();
            load.room = prediction->stages[static_cast<std::size_t>(s)].capacityBytes;
        }
        for (const int device : stage.devices)
            made.devices[device] = load;
    }
    if (model != nullptr)
        made.traffic = planTraffic(plan, *model);
    return made;
}

bool lacksPeerAccess(const Topology& topology, int a, int b)
{
    const auto count = static_cast<int>(topology.devices.size());
    if (a < 0 || b < 0 || a >= count || b >= count)
        return false;
    const Device& x = topology.devices[static_cast<std::size_t>(a)];
    const Device& y = topology.devices[static_cast<std::size_t>(b)];
    const Link* link = topology.linkBetween(a, b);
    return x.kind == DeviceKind::Gpu && x.server == y.server
        && (link == nullptr || link->kind == LinkKind::Host);
}

QString peerAccessText(const Topology& topology, const PlanOnMachine& plan)
{
    const PairTraffic* worst = nullptr;
    int pairs = 0;
    for (const PairTraffic& pair : plan.traffic)
        if (lacksPeerAccess(topology, pair.a, pair.b)) {
            ++pairs;
            if (worst == nullptr || pair.hop > worst->hop)
                worst = &pair;
        }
    if (worst == nullptr)
        return {};
    const auto name
        = [&](int index) { return deviceLabel(topology.devices[static_cast<std::size_t>(index)]); };
    const QString more
        = pairs > 1 ? Words::tr(" and %n more pair(s)", nullptr, pairs - 1) : QString();
    QString cost
        = Words::tr("%1 a step go through host memory at %2")
              .arg(bytesText(worst->bytes()), rateText(Speeds::link(topology, worst->a, worst->b)));
    if (worst->hop > 0)
        cost += Words::tr(", %1 a microbatch one way").arg(secondsText(worst->hop));
    return Words::tr("No peer access between %1 and %2%3: %4.")
        .arg(name(worst->a), name(worst->b), more, cost);
}

} // namespace stageloom
