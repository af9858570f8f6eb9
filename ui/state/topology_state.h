// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/topology.h"
#include "ui/state/latest_job.h"
#include <QObject>
#include <optional>

namespace stageloom {

// The machine on the Topology page: the plan's, or one opened to look at.
class TopologyState : public QObject {
    Q_OBJECT
public:
    explicit TopologyState(QObject* parent = nullptr);
    void open(const QString& source); // a preset, "local" or a file
    void show(const Topology& topology);
    [[nodiscard]] const std::optional<Topology>& topology() const { return m_topology; }

signals:
    void changed();
    void failed(const QString& sentence);

private:
    LatestJob<Result<Topology>> m_job;
    std::optional<Topology> m_topology;
};

} // namespace stageloom
