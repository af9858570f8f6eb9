// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/what_if.h"

#include "core/plan/traffic.h"
#include "ui/state/topology_state.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/topology/link_look.h"
#include <algorithm>
#include <map>

namespace stageloom {

namespace {

constexpr int kMostAlone = 4, kMostGroups = 3, kMostLinks = 2; // rows of each sort
constexpr double kSame = 0.0005; // of a step: no change that one could read

WhatIfRow withoutDevices(const Topology& machine, const QString& words, std::vector<int> devices)
{
    WhatIfRow row;
    row.change = WhatIfRow::Change::Devices;
    row.words = words;
    row.machine = machine;
    std::sort(devices.begin(), devices.end());
    for (auto last = devices.rbegin(); last != devices.rend(); ++last)
        row.machine = withoutDevice(row.machine, *last).topology;
    row.devices = std::move(devices);
    return row;
}

// Devices that share a server, or a PCIe switch of the only server.
std::map<std::string, std::vector<int>> groupsOf(const Topology& machine)
{
    std::map<std::string, std::vector<int>> servers, switches;
    for (const Device& device : machine.devices) {
        servers[fmt::format("{:04}", device.server)].push_back(device.index);
        if (device.pcieSwitch)
            switches[*device.pcieSwitch].push_back(device.index);
    }
    return servers.size() > 1 ? servers : switches;
}

} // namespace

std::vector<WhatIfRow> whatIfRows(const Topology& machine, const Plan& plan, const Model& model)
{
    const auto label
        = [&](int index) { return deviceLabel(machine.devices[static_cast<std::size_t>(index)]); };
    const auto count = static_cast<int>(machine.devices.size());
    std::vector<WhatIfRow> rows(1);
    rows[0].words = WhatIfModel::tr("as it is");
    rows[0].machine = machine;
    int groups = 0;
    for (const auto& [name, devices] : groupsOf(machine))
        if (devices.size() > 1 && devices.size() < machine.devices.size() && groups++ < kMostGroups)
            rows.push_back(withoutDevices(machine,
                WhatIfModel::tr("− %1–%2").arg(label(devices.front())).arg(devices.back()),
                devices));
    if (count > 1)
        for (int index = 0; index < std::min(count, kMostAlone); ++index)
            rows.push_back(
                withoutDevices(machine, WhatIfModel::tr("− %1").arg(label(index)), { index }));
    // Only of the machine that the plan is for: traffic is between its devices.
    if (sameMachine(machine, plan.topology)) {
        std::vector<PairTraffic> traffic = planTraffic(plan, model);
        std::stable_sort(traffic.begin(), traffic.end(),
            [](const PairTraffic& x, const PairTraffic& y) { return x.bytes() > y.bytes(); });
        int links = 0;
        for (const PairTraffic& pair : traffic) {
            const Link* link = machine.linkBetween(pair.a, pair.b);
            if (link == nullptr || !machine.pcieUpBandwidth || link->kind == LinkKind::Host
                || link->kind == LinkKind::Network || links++ >= kMostLinks)
                continue;
            WhatIfRow row;
            row.change = WhatIfRow::Change::Link;
            row.words
                = WhatIfModel::tr("− %1 %2–%3").arg(linkName(link->kind)).arg(pair.a).arg(pair.b);
            row.devices = { pair.a, pair.b };
            row.machine = withLinkUnplugged(machine, pair.a, pair.b).topology;
            rows.push_back(std::move(row));
        }
    }
    WhatIfRow more;
    more.change = WhatIfRow::Change::Add;
    more.words = WhatIfModel::tr("+ like %1").arg(label(count - 1));
    more.devices = { count - 1 };
    more.machine = withDeviceLike(machine, count - 1).topology;
    rows.push_back(std::move(more));
    return rows;
}

std::vector<WhatIfRow> planRows(std::vector<WhatIfRow> rows, const Plan& plan, const Model& model)
{
    for (WhatIfRow& row : rows) {
        PlannerRequest request;
        request.modelSource = plan.modelSource;
        request.model = model;
        request.topology = row.machine;
        request.batchSize = plan.batchSize();
        request.schedules = { plan.schedule };
        request.optimizer = plan.optimizer;
        request.profile = plan.profile;
        const bool workers = row.machine.devices.front().kind == DeviceKind::CpuWorker;
        request.width = workers ? 1 : 0; // one pipeline is what trains on workers
        request.top = 1;
        const Result<PlannerAnswer> answer = makePlans(request);
        row.planned = true;
        if (!answer || answer->plans.empty()) {
            row.reason = QString::fromStdString(!answer ? answer.error().message
                    : answer->rejected.empty()          ? std::string()
                                                        : answer->rejected.front().reason);
            continue;
        }
        const RankedPlan& best = answer->plans.front();
        row.fits = true;
        // The planner may take less than the batch it is given: steps of unlike batches compare by
        // the time of a sample.
        const double share = static_cast<double>(plan.batchSize())
            / static_cast<double>(std::max<std::int64_t>(1, best.plan.batchSize()));
        row.step = best.prediction.stepTime * share;
        row.tokens = best.prediction.tokensPerSecond;
        row.peak = best.prediction.peakMemory;
        row.stages = best.plan.depth();
        row.width = best.plan.width();
    }
    return rows;
}

void WhatIfModel::setRows(std::vector<WhatIfRow> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

const WhatIfRow* WhatIfModel::rowAt(const QModelIndex& index) const
{
    return index.isValid() ? &m_rows[static_cast<std::size_t>(index.row())] : nullptr;
}

int WhatIfModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int WhatIfModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

double WhatIfModel::changeOf(const WhatIfRow& row) const
{
    const WhatIfRow& base = m_rows.front();
    return base.fits && row.fits && base.step > 0 ? row.step / base.step - 1 : 0;
}

QVariant WhatIfModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const WhatIfRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const double change = changeOf(row);
    const bool same = std::abs(change) < kSame;
    switch (role) {
    case Qt::TextAlignmentRole:
        return QVariant(
            (index.column() == What ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return sentence(index);
    case Qt::ForegroundRole:
        if (index.column() == Step && row.planned && !row.fits)
            return theme().bad;
        if (index.column() == Change && row.fits && !same)
            return change > 0 ? theme().bad : theme().good;
        return index.row() == 0 || index.column() == Stages ? QVariant(theme().muted) : QVariant();
    case Qt::DisplayRole:
        break;
    default:
        return {};
    }
    if (index.column() == What)
        return row.words;
    if (!row.planned)
        return index.column() == Step ? QStringLiteral("…") : QString();
    if (!row.fits)
        return index.column() == Step ? tr("no plan fits") : QStringLiteral("–");
    switch (index.column()) {
    case Step:
        return secondsText(row.step);
    case Change:
        if (index.row() == 0)
            return QString();
        return same ? QStringLiteral("±0 %")
                    : QStringLiteral("%1%2 %")
                          .arg(change > 0 ? QStringLiteral("+") : QStringLiteral("−"))
                          .arg(100 * std::abs(change), 0, 'f', 1);
    case Stages:
        return row.width > 1 ? tr("%1, %2 replicas").arg(row.stages).arg(row.width)
                             : QString::number(row.stages);
    default:
        return bytesText(row.peak);
    }
}

QVariant WhatIfModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == What ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == Step)
        return tr("Estimated seconds for the plan's batch");
    if (role == Qt::ToolTipRole && section == Stages)
        return tr("Stages, and how many replicas of each where there are several");
    if (role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    const QString names[] = { tr("Machine"), tr("Step"), tr("Change"), tr("Stages"), tr("Peak") };
    return names[section];
}

QString WhatIfModel::sentence(const QModelIndex& index) const
{
    const WhatIfRow* row = rowAt(index);
    if (row == nullptr || !row->planned)
        return {};
    if (!row->fits)
        return row->reason.isEmpty() ? tr("No plan fits.")
                                     : tr("No plan fits: %1").arg(row->reason);
    const WhatIfRow& base = m_rows.front();
    if (index.row() == 0 || !base.fits)
        return tr("Planned anew with the plan's batch and schedule.");
    const auto rate
        = [](double tokens) { return QString::fromStdString(aboutRate(tokens, "tokens")); };
    return tr("Step %1 → %2, %3 → %4, fullest device %5 → %6.")
        .arg(secondsText(base.step), secondsText(row->step), rate(base.tokens), rate(row->tokens),
            bytesText(base.peak), bytesText(row->peak));
}

} // namespace stageloom
