// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/topology_state.h"

namespace stageloom {

TopologyState::TopologyState(QObject* parent)
    : QObject(parent)
    , m_job(this)
{
}

void TopologyState::open(const QString& source)
{
    m_job.start([name = source.toStdString()] { return readTopology(name); },
        [this](Result<Topology> topology) {
            if (topology)
                show(*topology);
            else
                emit failed(QString::fromStdString(topology.error().message));
        });
}

void TopologyState::show(const Topology& topology)
{
    m_job.drop();
    m_topology = topology;
    emit changed();
}

} // namespace stageloom
