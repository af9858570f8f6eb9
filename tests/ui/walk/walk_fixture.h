// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"
#include "core/store/database.h"
#include "hands.h"
#include "ui/shell/main_window.h"

#include <QTemporaryDir>
#include <cmath>
#include <numeric>

namespace stageloom {

// The losses of the batches; an evaluation's point has none.
inline std::vector<double> losses(const std::vector<MetricPoint>& points)
{
    std::vector<double> all;
    for (const MetricPoint& point : points)
        if (std::isfinite(point.loss))
            all.push_back(point.loss);
    return all;
}

inline double mean(std::vector<double>::const_iterator from, std::ptrdiff_t count)
{
    return std::accumulate(from, from + count, 0.0) / static_cast<double>(count);
}

// The window over a store of its own, with a small model and a text to train on.
class Walk : public testing::Test {
protected:
    static constexpr int kLong = 40'000; // ms; a loaded machine starts an engine in seconds
    static constexpr const char* kModel = R"({"model_type": "gpt2", "vocab_size": 256,
      "n_positions": 32, "n_embd": 64, "n_layer": 4, "n_head": 2,
      "activation_function": "gelu_new"})";

    void SetUp() override
    {
        window.resize(1440, 900);
        window.show();
        window.activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
        QObject::connect(&workspace.live, &LiveRun::started, &window, [this] { ended.reset(); });
        QObject::connect(
            &workspace.live, &LiveRun::ended, &window, [this](RunState state) { ended = state; });
        ASSERT_TRUE(writeFileAtomically(path("config.json"), kModel));
        ASSERT_TRUE(writeFileAtomically(path("text.txt"), text()));
    }
    std::string path(const char* name) const { return (folder.path() + '/').toStdString() + name; }
    QString file(const char* name) const { return QString::fromStdString(path(name)); }

    // Text with something to learn: words that follow each other.
    static std::string text()
    {
        std::string all;
        for (int i = 0; i < 4000; ++i)
            all += i % 3 == 0 ? "the pipeline "
                : i % 3 == 1  ? "holds two versions "
                              : "of its weights.\n";
        return all;
    }
    // Waits for the batches in which a small model learns most, and compares their ends.
    void seeTheLossFall()
    {
        ASSERT_TRUE(hands::waitFor([&] { return workspace.live.points().size() >= 55; }, kLong));
        const std::vector<double> all = losses(workspace.live.points());
        EXPECT_LT(mean(all.end() - 10, 10), mean(all.begin(), 10) - 0.5);
    }
    void seeThePlan(int stages)
    {
        ASSERT_TRUE(hands::waitFor([&] { return workspace.document.isOpen(); }, kLong));
        ASSERT_TRUE(
            hands::waitFor([&] { return workspace.predictor.prediction() != nullptr; }, kLong));
        ASSERT_EQ(workspace.document.plan().depth(), stages);
    }
    // Both runs' batches and a header.
    void readTheExport(const char* name)
    {
        ASSERT_TRUE(hands::waitFor([&] { return QFileInfo::exists(file(name)); }, 15'000))
            << hands::shownSentence(window).toStdString();
        const Result<std::string> csv = readTextFile(path(name), 1 << 20);
        ASSERT_TRUE(csv);
        EXPECT_GE(std::count(csv->begin(), csv->end(), '\n'), 76);
    }

    QTemporaryDir folder;
    std::optional<RunState> ended; // of the last run; none: it goes on
    Workspace workspace { path("runs.sqlite") };
    MainWindow window { workspace };
};

} // namespace stageloom
