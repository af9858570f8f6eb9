// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/planner.h"
#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QFile>
#include <QTemporaryDir>
#include <functional>
#include <gtest/gtest.h>

namespace stageloom {

// Runs the event loop until `done`, at most for some seconds.
inline bool waitFor(const std::function<bool()>& done)
{
    QDeadlineTimer limit(20000);
    while (!done() && !limit.hasExpired())
        QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
    return done();
}

// A folder of its own for files that a test writes.
class Files {
public:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QString write(const QString& name, const QByteArray& content) const
    {
        QFile file(path(name));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        EXPECT_EQ(file.write(content), content.size());
        return file.fileName();
    }

private:
    QTemporaryDir m_folder;
};

inline const char* const kSmallConfig = R"({"model_type": "gpt2", "n_embd": 64, "n_head": 2,
    "n_layer": 3, "n_positions": 32, "vocab_size": 128})";

inline Model smallModel()
{
    return *modelFromConfig(*parseJson(kSmallConfig, "small"), "small", {});
}

// The small model, a layer or two a stage, on `devices` devices of the machine.
inline Plan smallPlan(const std::string& machine, std::vector<PlanStage> stages)
{
    Plan plan;
    plan.name = "small";
    plan.modelSource = "small";
    plan.modelConfig = smallModel().config;
    plan.seq = 32;
    plan.topologySource = machine;
    plan.topology = *readTopology(machine);
    plan.stages = std::move(stages);
    plan.microbatches = 4;
    return plan;
}

inline QByteArray text(const Json& document)
{
    return QByteArray::fromStdString(dumpJson(document));
}

} // namespace stageloom
