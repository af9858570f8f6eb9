// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/train_form.h"

#include "core/plan/training_defaults.h"
#include "ui/theme/text.h"
#include "ui/widgets/number_box.h"
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>

namespace stageloom {

namespace {

constexpr auto kDataKey = "trainData";
constexpr auto kStepsKey = "trainSteps";
constexpr auto kSampleText = "/usr/share/common-licenses"; // on every Debian system

QString firstData()
{
    const QString last = QSettings().value(QLatin1String(kDataKey)).toString();
    if (!last.isEmpty() && QFileInfo::exists(last))
        return last;
    return QFileInfo::exists(QLatin1String(kSampleText)) ? QLatin1String(kSampleText) : QString();
}

// A seed of 64 bits may be larger than the field; it is kept as long as nobody edits it.
int shownSeed(const TrainRequest& request)
{
    return static_cast<int>(std::min<std::uint64_t>(request.seed, 1'000'000'000));
}

} // namespace

TrainForm::TrainForm(QWidget* parent)
    : Panel(tr("Next run"), parent)
    , m_problemRow(new QWidget)
    , m_problem(makeLabel(QString(), "caption"))
    , m_data(new QLineEdit(firstData()))
    , m_steps(new NumberBox(1, 10'000'000, training::kSteps))
    , m_warmup(new NumberBox(0, 10'000'000, training::warmupSteps(training::kSteps)))
    , m_evaluate(new NumberBox(0, 1'000'000, 50))
    , m_seed(new NumberBox(0, 1'000'000'000, 1234))
    , m_rate(new RateBox)
    , m_optimizer(new QComboBox)
    , m_shape(new QComboBox)
    , m_name(new QLineEdit)
{
    m_optimizer->addItem(
        optimizerName(OptimizerKind::AdamW), static_cast<int>(OptimizerKind::AdamW));
    m_optimizer->addItem(optimizerName(OptimizerKind::Adam), static_cast<int>(OptimizerKind::Adam));
    m_optimizer->addItem(optimizerName(OptimizerKind::Sgd), static_cast<int>(OptimizerKind::Sgd));
    m_shape->addItem(tr("cosine"), static_cast<int>(RateShape::Cosine));
    m_shape->addItem(tr("linear"), static_cast<int>(RateShape::Linear));
    m_shape->addItem(tr("constant"), static_cast<int>(RateShape::Constant));
    m_shown.learningRate = -1; // nothing yet
    // The warm-up goes along with the steps until a person chooses another.
    m_stepsBefore = m_steps->value();
    connect(m_steps, &QSpinBox::valueChanged, this, [this](int steps) {
        if (m_warmup->value() == training::warmupSteps(m_stepsBefore))
            m_warmup->setValue(training::warmupSteps(steps));
        m_stepsBefore = steps;
        emit stepsChanged();
    });
    m_name->setPlaceholderText(tr("Name of the run"));
    m_name->setToolTip(tr("What the run is called on the Runs page; the plan's name where this "
                          "is empty"));
    m_name->setAccessibleName(tr("Name"));
    m_name->setFixedWidth(180);
    addControl(m_name);
    m_problem->setWordWrap(true);
    auto* cpu = new QPushButton(tr("Plan it for this machine's CPU"));
    cpu->setToolTip(tr("The nearest plan that the engine here trains: the same model and batch"));
    connect(cpu, &QPushButton::clicked, this, &TrainForm::cpuAsked);
    auto* line = new QHBoxLayout(m_problemRow);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(m_problem, 1);
    line->addWidget(cpu);
    m_problemRow->hide();
    body()->addWidget(m_problemRow);
    const int steps = QSettings().value(QLatin1String(kStepsKey), training::kSteps).toInt();
    if (steps > 0)
        m_steps->setValue(steps);
    m_warmup->setSuffix(tr(" steps"));
    m_evaluate->setSuffix(tr(" steps"));
    buildDataRow();
    buildNumberRow();
}

void TrainForm::buildDataRow()
{
    auto* row = new QHBoxLayout;
    m_data->setPlaceholderText(tr("A text file or a folder of text files"));
    m_data->setToolTip(
        tr("The text to train on, byte by byte: a file or a folder; one part in ten is held out"));
    m_data->setAcceptDrops(false); // the page takes a file whole, wherever it is dropped
    m_data->setAccessibleName(tr("Data"));
    auto* file = new QPushButton(tr("File…"));
    file->setToolTip(tr("Choose a text file"));
    auto* folder = new QPushButton(tr("Folder…"));
    folder->setToolTip(tr("Choose a folder of text files"));
    connect(file, &QPushButton::clicked, this, &TrainForm::chooseFile);
    connect(folder, &QPushButton::clicked, this, &TrainForm::chooseFolder);
    row->addWidget(makeLabel(tr("Data"), "caption"));
    row->addWidget(m_data, 1);
    row->addWidget(file);
    row->addWidget(folder);
    row->addSpacing(8);
    addField(*row, tr("Evaluate every"), m_evaluate,
        tr("Batches between evaluations on held-out text; 0: at the end only"));
    addField(*row, tr("Seed"), m_seed, tr("The same seed gives the same run"));
    body()->addLayout(row);
}

void TrainForm::buildNumberRow()
{
    auto* row = new QHBoxLayout;
    addField(*row, tr("Steps"), m_steps, tr("Batches to train"));
    addField(*row, tr("Optimizer"), m_optimizer, tr("How gradients become updates"));
    // As wide as its longest name where there is room, else as the usual one.
    m_optimizer->setMaximumWidth(m_optimizer->sizeHint().width());
    m_optimizer->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_optimizer->setMinimumContentsLength(6);
    row->setStretchFactor(m_optimizer, 2);
    addField(*row, tr("Peak rate"), m_rate, tr("The learning rate after the warm-up"));
    addField(*row, QString(), m_shape, tr("How the learning rate falls after the warm-up"));
    addField(*row, tr("Warm-up"), m_warmup,
        tr("Batches over which the learning rate rises; a plan without a warm-up gets one "
           "here, 0 starts at the full rate"));
    row->addStretch(1);
    body()->addLayout(row);
}

int TrainForm::steps() const
{
    return m_steps->value();
}

void TrainForm::addField(QHBoxLayout& row, const QString& name, QWidget* field, const QString& tip)
{
    if (!name.isEmpty()) {
        auto* label = makeLabel(name, "caption");
        label->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
        row.addWidget(label);
    }
    field->setToolTip(tip);
    field->setAccessibleName(name.isEmpty() ? tr("Shape of the rate") : name);
    if (qobject_cast<QAbstractSpinBox*>(field) != nullptr)
        field->setMinimumWidth(field == m_rate ? 96 : 72); // their largest numbers are rare
    field->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    row.addWidget(field);
}

void TrainForm::chooseFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Choose a text file"), data());
    if (!path.isEmpty())
        setData(path);
}

void TrainForm::chooseFolder()
{
    const QString path
        = QFileDialog::getExistingDirectory(this, tr("Choose a folder of text files"), data());
    if (!path.isEmpty())
        setData(path);
}

QString TrainForm::data() const
{
    return m_data->text().trimmed();
}

void TrainForm::setData(const QString& path)
{
    m_data->setText(path);
}

void TrainForm::setSteps(int steps)
{
    m_steps->setValue(steps);
}

void TrainForm::keep()
{
    QSettings settings;
    settings.setValue(QLatin1String(kDataKey), data());
    settings.setValue(QLatin1String(kStepsKey), steps());
}

void TrainForm::sayNext(const QString& words, const QString& problem)
{
    setCaption(words);
    m_problem->setText(problem);
    m_problemRow->setVisible(!problem.isEmpty());
}

void TrainForm::focusData()
{
    m_data->setFocus(Qt::OtherFocusReason);
}

void TrainForm::showOptimizer(const OptimizerSettings& optimizer)
{
    m_shown = optimizer;
    m_optimizer->setCurrentIndex(m_optimizer->findData(static_cast<int>(optimizer.kind)));
    m_shape->setCurrentIndex(m_shape->findData(static_cast<int>(optimizer.shape)));
    m_rate->setValue(optimizer.learningRate);
    if (optimizer.warmupSteps > 0)
        m_warmup->setValue(optimizer.warmupSteps);
}

void TrainForm::show(const Plan& plan)
{
    if (!(plan.optimizer == m_shown))
        showOptimizer(plan.optimizer);
}

void TrainForm::show(const TrainRequest& request)
{
    showOptimizer(request.plan.optimizer);
    m_again = request;
    m_steps->setValue(request.steps);
    m_warmup->setValue(request.plan.optimizer.warmupSteps);
    m_data->setText(QString::fromStdString(request.dataPath));
    m_evaluate->setValue(request.evalInterval);
    m_seed->setValue(shownSeed(request));
}

TrainRequest TrainForm::request(const Plan& plan) const
{
    TrainRequest request = m_again;
    request.plan = plan;
    OptimizerSettings& optimizer = request.plan.optimizer;
    optimizer.kind = static_cast<OptimizerKind>(m_optimizer->currentData().toInt());
    optimizer.shape = static_cast<RateShape>(m_shape->currentData().toInt());
    optimizer.learningRate = m_rate->value();
    optimizer.warmupSteps = m_warmup->value();
    request.dataPath = data().toStdString();
    request.steps = m_steps->value();
    request.evalInterval = m_evaluate->value();
    if (m_seed->value() != shownSeed(m_again))
        request.seed = static_cast<std::uint64_t>(m_seed->value());
    request.name = m_name->text().trimmed().toStdString();
    if (request.name.empty())
        request.name = plan.name.empty() ? plan.schedule : plan.name;
    return request;
}

} // namespace stageloom
