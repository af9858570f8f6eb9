// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_store_fixture.h"
#include "ui/plots/curve_plot.h"
#include "ui/runs/runs_page.h"
#include "ui/runs/runs_table.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTabWidget>
#include <QTest>
#include <QTimer>

namespace stageloom::test {

// Acts on the next modal widget of this type once it is in sight.
template <typename Dialog, typename Act> void onDialog(Act act)
{
    auto* timer = new QTimer(qApp);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, act] {
        if (auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget())) {
            timer->deleteLater();
            act(*dialog);
        }
    });
    timer->start(20);
}

// The Runs page over a store, shown, with events sent to what lies under the point.
class RunsPageTest : public RunStoreTest {
protected:
    void start(QSize size = { 1360, 820 })
    {
        m_workspace = std::make_unique<Workspace>(file());
        m_page = std::make_unique<RunsPage>(*m_workspace);
        m_page->resize(size);
        m_page->show();
        m_table = m_page->findChild<RunsTable*>();
        m_workspace->runs.refresh();
        settle();
    }
    void settle()
    {
        ASSERT_TRUE(waitFor([this] { return !m_page->isBusy(); }));
        QCoreApplication::processEvents();
    }
    [[nodiscard]] QRect cell(RunId id, RunField field) const
    {
        const QModelIndex row = model().indexOf(id);
        const QModelIndex index = row.sibling(row.row(), static_cast<int>(field));
        m_table->scrollTo(index);
        return m_table->visualRect(index);
    }
    void click(RunId id, Qt::KeyboardModifiers keys = {})
    {
        QTest::mouseClick(
            m_table->viewport(), Qt::LeftButton, keys, cell(id, RunField::Name).center());
        m_table->viewport()->update();
        waitFor([this] { return m_page->isBusy(); }, 60);
        settle();
    }
    [[nodiscard]] const RunsModel& model() const
    {
        return static_cast<const RunsModel&>(*m_table->model());
    }
    [[nodiscard]] CurvePlot& plot() const { return *m_page->findChild<CurvePlot*>(); }
    [[nodiscard]] QLineEdit& filter() const
    {
        for (auto* line : m_page->findChildren<QLineEdit*>())
            if (line->accessibleName() == QStringLiteral("Filter"))
                return *line;
        throw std::runtime_error("the page has no filter");
    }
    [[nodiscard]] QAbstractButton& button(const QString& text) const
    {
        for (auto* button : m_page->findChildren<QAbstractButton*>())
            if (button->text() == text)
                return *button;
        throw std::runtime_error("the page has no button " + text.toStdString());
    }
    void openTab(int index)
    {
        auto* tabs = m_page->findChild<QTabWidget*>();
        QTest::mouseClick(
            tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(index).center());
        settle();
    }
    [[nodiscard]] bool says(const QString& text) const // in a label in sight
    {
        for (const auto* label : m_page->findChildren<QLabel*>())
            if (label->isVisible()
                && (label->text().contains(text) || label->accessibleName().contains(text)))
                return true;
        return false;
    }

    std::unique_ptr<Workspace> m_workspace;
    std::unique_ptr<RunsPage> m_page;
    RunsTable* m_table = nullptr;
};

// A dozen runs that differ in everything the page shows.
inline std::vector<SampleRun> severalRuns()
{
    std::vector<SampleRun> runs;
    const char* schedules[] = { "2bw", "1f1b", "gpipe" };
    for (int i = 0; i < 12; ++i) {
        SampleRun run;
        run.name = "experiment " + std::to_string(i + 1);
        run.schedule = schedules[i % 3];
        run.stages = 2 + i % 2;
        run.microbatches = 4 << (i % 2);
        run.learningRate = 1e-4 * (1 + i);
        run.lastLoss = 4 - 0.1 * i;
        run.rate = 3000 + 250 * i;
        run.stretch = 1 + 0.03 * i;
        if (i % 4 == 0)
            run.tags = { "baseline" };
        if (i == 5)
            run.state = RunState::Failed;
        runs.push_back(run);
    }
    return runs;
}

} // namespace stageloom::test
