// SPDX-License-Identifier: GPL-3.0-or-later
// What the Runs page keeps between two starts, what it copies, and what it says of its controls.
#include "page_fixture.h"
#include "ui/runs/run_facts_model.h"
#include "ui/widgets/copy_rows.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QSlider>
#include <QSplitter>
#include <QTableView>

using namespace stageloom;
using namespace stageloom::test;

namespace {

class RunsRememberedTest : public RunsPageTest {
protected:
    void startWithRuns()
    {
        if (!std::filesystem::exists(file())) {
            Database database = open();
            for (const SampleRun& run : severalRuns())
                addRun(database, run);
        }
        start();
    }
    void startAgain()
    {
        m_page.reset();
        startWithRuns();
    }
    [[nodiscard]] QComboBox& combo(const QString& name) const
    {
        for (auto* box : m_page->findChildren<QComboBox*>())
            if (box->accessibleName() == name)
                return *box;
        throw std::runtime_error("no choice " + name.toStdString());
    }
    // Drags the right edge of a column as a hand does.
    void dragEdge(RunField field, int by)
    {
        QHeaderView* header = m_table->header();
        const int column = static_cast<int>(field);
        const QPoint edge(header->sectionViewportPosition(column) + header->sectionSize(column) - 1,
            header->height() / 2);
        QWidget* view = header->viewport();
        QTest::mouseMove(view, edge);
        QTest::mousePress(view, Qt::LeftButton, {}, edge);
        QTest::mouseMove(view, edge + QPoint(by, 0));
        QTest::mouseRelease(view, Qt::LeftButton, {}, edge + QPoint(by, 0));
    }
    bool chooseInColumns(const QString& begin)
    {
        QMenu menu;
        m_table->fillColumnsMenu(menu);
        for (QAction* action : menu.actions())
            if (action->text().startsWith(begin) && action->isEnabled()) {
                action->trigger();
                return true;
            }
        return false;
    }
    [[nodiscard]] int width(RunField field) const
    {
        return m_table->columnWidth(static_cast<int>(field));
    }
    [[nodiscard]] bool hides(RunField field) const
    {
        return m_table->isColumnHidden(static_cast<int>(field));
    }
};

} // namespace

TEST_F(RunsRememberedTest, aColumnKeepsTheWidthThatItWasDraggedTo)
{
    startWithRuns();
    const int before = width(RunField::Name);
    dragEdge(RunField::Name, 57);
    const int dragged = width(RunField::Name);
    ASSERT_NE(dragged, before);
    waitFor([] { return false; }, 300); // it is written once the hand rests
    m_page->resize(1200, 820);
    EXPECT_EQ(width(RunField::Name), dragged);
    startAgain();
    EXPECT_EQ(width(RunField::Name), dragged);
    ASSERT_TRUE(chooseInColumns(QStringLiteral("Fit the widths")));
    EXPECT_NE(width(RunField::Name), dragged);
    startAgain();
    EXPECT_NE(width(RunField::Name), dragged);
}

TEST_F(RunsRememberedTest, columnsAndSortingAreKeptByTheirNames)
{
    startWithRuns();
    ASSERT_TRUE(chooseInColumns(QStringLiteral("Notes"))); // hides it
    ASSERT_TRUE(chooseInColumns(QStringLiteral("Bubble"))); // shows it
    m_table->sortByColumn(static_cast<int>(RunField::Loss), Qt::AscendingOrder);
    m_table->header()->moveSection(
        m_table->header()->visualIndex(static_cast<int>(RunField::Schedule)), 2);
    EXPECT_TRUE(QSettings()
                    .value(QStringLiteral("runs/columns_hidden"))
                    .toStringList()
                    .contains(QStringLiteral("notes")));
    startAgain();
    EXPECT_TRUE(hides(RunField::Notes));
    EXPECT_FALSE(hides(RunField::Bubble));
    EXPECT_EQ(m_table->header()->sortIndicatorSection(), static_cast<int>(RunField::Loss));
    EXPECT_EQ(model().arrangement().sort, RunField::Loss);
    EXPECT_EQ(m_table->header()->visualIndex(static_cast<int>(RunField::Schedule)), 2);
}

TEST_F(RunsRememberedTest, columnsThatAreTheSameForAllRunsShownCanBeHidden)
{
    startWithRuns();
    EXPECT_FALSE(hides(RunField::Model)); // one model, three schedules
    ASSERT_TRUE(chooseInColumns(QStringLiteral("Hide what is the same")));
    EXPECT_TRUE(hides(RunField::Model));
    EXPECT_FALSE(hides(RunField::Schedule));
    filter().setText(QStringLiteral("schedule:2bw"));
    EXPECT_TRUE(hides(RunField::Schedule)); // now they are
    filter().clear();
    EXPECT_FALSE(hides(RunField::Schedule));
    startAgain();
    EXPECT_TRUE(hides(RunField::Model));
    ASSERT_TRUE(chooseInColumns(QStringLiteral("Hide what is the same")));
    EXPECT_FALSE(hides(RunField::Model));
}

TEST_F(RunsRememberedTest, controlsComeBackAsTheyWereLeft)
{
    startWithRuns();
    combo(QStringLiteral("Horizontal axis")).setCurrentIndex(1);
    combo(QStringLiteral("Groups")).setCurrentIndex(3);
    m_page->findChild<QSlider*>()->setValue(25);
    auto& log = static_cast<QCheckBox&>(button(QStringLiteral("Log y")));
    log.setChecked(true);
    openTab(4);
    startAgain();
    EXPECT_EQ(combo(QStringLiteral("Horizontal axis")).currentIndex(), 1);
    EXPECT_EQ(plot().horizontalTitle(), QStringLiteral("tokens"));
    EXPECT_EQ(combo(QStringLiteral("Groups")).currentIndex(), 3);
    EXPECT_TRUE(model().isGrouped());
    EXPECT_EQ(m_page->findChild<QSlider*>()->value(), 25);
    EXPECT_TRUE(button(QStringLiteral("Log y")).isChecked());
    EXPECT_EQ(m_page->findChild<QTabWidget*>()->currentIndex(), 4);
}

TEST_F(RunsRememberedTest, theSplittersComeBackWhereTheyWereLeft)
{
    startWithRuns();
    auto* splitter = m_page->findChild<QSplitter*>();
    QSplitterHandle* handle = splitter->handle(1);
    const QPoint middle = handle->rect().center();
    QTest::mousePress(handle, Qt::LeftButton, {}, middle);
    QTest::mouseMove(handle, middle + QPoint(0, 60));
    QTest::mouseRelease(handle, Qt::LeftButton, {}, middle + QPoint(0, 60));
    const QList<int> sizes = splitter->sizes();
    startAgain();
    EXPECT_EQ(m_page->findChild<QSplitter*>()->sizes(), sizes);
}

TEST_F(RunsRememberedTest, theCopyKeyCopiesTheChosenRowsWithTheirTitles)
{
    startWithRuns();
    click(RunId { 11 });
    click(RunId { 9 }, Qt::ControlModifier);
    m_table->setFocus();
    QTest::keyClick(m_table, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), 3);
    const qsizetype columns = lines[0].split(u'\t').size();
    EXPECT_TRUE(lines[0].split(u'\t').contains(titleOf(RunField::Name)));
    EXPECT_FALSE(lines[0].split(u'\t').contains(titleOf(RunField::Memory))); // it is hidden
    EXPECT_TRUE(lines[1].split(u'\t').contains(QStringLiteral("experiment 11")));
    EXPECT_TRUE(lines[2].split(u'\t').contains(QStringLiteral("experiment 9")));
    for (const QString& line : lines)
        EXPECT_EQ(line.split(u'\t').size(), columns) << line.toStdString();
}

TEST_F(RunsRememberedTest, theTablesOfTheTabsCopyTheirRowsToo)
{
    startWithRuns();
    click(RunId { 11 });
    click(RunId { 8 }, Qt::ControlModifier);
    for (const int tab : { 0, 2, 3 }) { // details, plans, traces
        openTab(tab);
        QTableView* table = nullptr;
        ASSERT_TRUE(waitFor([&] {
            for (auto* view : m_page->findChildren<QTableView*>())
                table = view->isVisible() ? view : table;
            return table != nullptr && table->isVisible() && table->model()->rowCount() > 1;
        })) << tab;
        table->setFocus();
        table->selectRow(1);
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        EXPECT_EQ(QApplication::clipboard()->text(), selectedRowsText(*table)) << tab;
        const QStringList lines
            = QApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
        ASSERT_EQ(lines.size(), 2) << tab;
        EXPECT_EQ(lines[0].split(u'\t').size(), table->model()->columnCount()) << tab;
        EXPECT_TRUE(lines[1].contains(table->model()->index(1, 0).data().toString())) << tab;
    }
}

TEST_F(RunsRememberedTest, everyControlAndTableSaysWhatItIsFor)
{
    startWithRuns();
    for (const QWidget* widget : m_page->findChildren<QWidget*>()) {
        const bool control = qobject_cast<const QAbstractButton*>(widget)
            || qobject_cast<const QComboBox*>(widget) || qobject_cast<const QLineEdit*>(widget)
            || qobject_cast<const QAbstractSlider*>(widget)
            || (qobject_cast<const QAbstractItemView*>(widget)
                && !qobject_cast<const QHeaderView*>(widget));
        bool part = qobject_cast<const QScrollBar*>(widget) != nullptr // of another control
            || (!widget->isVisible() && widget->property("text").toString().isEmpty()
                && qobject_cast<const QAbstractButton*>(widget)); // has nothing to offer yet
        for (const QWidget* up = widget->parentWidget(); up && up != m_page.get();
             up = up->parentWidget())
            part = part || qobject_cast<const QComboBox*>(up) || qobject_cast<const QLineEdit*>(up)
                || qobject_cast<const QAbstractItemView*>(up) || qobject_cast<const QTabBar*>(up);
        if (control && !part) {
            EXPECT_FALSE(widget->toolTip().isEmpty())
                << widget->metaObject()->className() << " "
                << widget->accessibleName().toStdString() << " "
                << widget->property("text").toString().toStdString();
        }
    }
}
