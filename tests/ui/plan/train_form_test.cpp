// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/training_defaults.h"
#include "ui/train/train_form.h"

#include <QApplication>
#include <QComboBox>
#include <QSpinBox>
#include <QTest>
#include <gtest/gtest.h>

namespace stageloom {

namespace {

class Form : public testing::Test {
protected:
    QSpinBox& field(const char* name)
    {
        for (auto* box : form.findChildren<QSpinBox*>())
            if (box->accessibleName() == QLatin1String(name))
                return *box;
        throw std::runtime_error(name);
    }
    void type(QSpinBox& box, int value)
    {
        box.setFocus();
        box.selectAll();
        QTest::keyClicks(&box, QString::number(value));
        QTest::keyClick(&box, Qt::Key_Return);
    }
    OptimizerSettings asked() const { return form.request(plan).plan.optimizer; }
    Plan plan;
    TrainForm form;
};

TEST_F(Form, startsWithWhatTheDemoTrainsWith)
{
    form.show(plan);
    EXPECT_EQ(form.request(plan).steps, training::kSteps);
    EXPECT_EQ(asked(), training::optimizer(training::kSteps));
}

TEST_F(Form, theWarmupIsHalfOfAShorterRunUntilAPersonChoosesIt)
{
    form.show(plan);
    type(field("Steps"), 300);
    EXPECT_EQ(field("Warm-up").value(), 150); // what is seen is what is asked
    EXPECT_EQ(asked().warmupSteps, 150);
    type(field("Steps"), 80); // ends while the rate rises
    EXPECT_EQ(asked().warmupSteps, 120);
    type(field("Warm-up"), 7);
    type(field("Steps"), 300);
    EXPECT_EQ(asked().warmupSteps, 7);
}

TEST_F(Form, aPlansOwnWarmupAndARunsOwnStand)
{
    plan.optimizer.warmupSteps = 33;
    plan.optimizer.learningRate = 2e-4;
    form.show(plan);
    EXPECT_EQ(asked(), plan.optimizer);
    TrainRequest again;
    again.plan = plan;
    again.plan.optimizer.warmupSteps = 0;
    again.steps = 50;
    form.show(again);
    EXPECT_EQ(form.request(again.plan).plan.optimizer, again.plan.optimizer);
    EXPECT_EQ(form.request(again.plan).steps, 50);
}

TEST_F(Form, showsEveryFieldWhole)
{
    form.resize(1440 - 72 - 20 - 16 - 16 - 308, 110); // beside rail, margins and the side panels
    form.setVisible(true);
    QApplication::processEvents();
    for (auto* field : form.findChildren<QAbstractSpinBox*>())
        EXPECT_GE(field->width(), field->minimumSizeHint().width())
            << field->accessibleName().toStdString();
    for (auto* field : form.findChildren<QComboBox*>())
        EXPECT_GE(field->width(), field->minimumSizeHint().width())
            << field->accessibleName().toStdString();
}

} // namespace

} // namespace stageloom
