// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_summary.h"

#include "core/base/units.h"
#include "ui/model/layer_measure.h"
#include "ui/theme/text.h"
#include "ui/widgets/fact_rows.h"
#include "ui/widgets/number_box.h"
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <numeric>

namespace stageloom {

namespace {

constexpr int kLongest = 1 << 20; // tokens
constexpr Dtype kFormats[] = { Dtype::Fp32, Dtype::Bf16, Dtype::Fp16 };

QString count(std::int64_t value)
{
    return countText(static_cast<double>(value));
}

double sum(const Model& model, double Layer::*part)
{
    return std::accumulate(model.layers.begin(), model.layers.end(), 0.0,
        [part](double so, const Layer& layer) { return so + layer.*part; });
}

} // namespace

ModelSummary::ModelSummary(ModelState& state, QWidget* parent)
    : Panel(tr("This model"), parent)
    , m_state(state)
    , m_length(new NumberBox(1, kLongest, 1))
    , m_format(new QComboBox)
    , m_facts(new FactRows)
    , m_notes(makeLabel(QString(), "caption"))
{
    m_length->setKeyboardTracking(false); // counted when the number is whole
    m_length->setAlignment(Qt::AlignRight);
    m_length->setToolTip(tr("Tokens of a sample: FLOPs and bytes are counted for this length"));
    m_length->setAccessibleName(tr("Sequence length"));
    for (const Dtype format : kFormats)
        m_format->addItem(QString::fromStdString(toString(format)));
    m_format->setToolTip(tr("Numbers in which weights and activations are counted"));
    m_format->setAccessibleName(tr("Number format"));
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(makeLabel(tr("Sequence"), "caption"), m_length);
    form->addRow(makeLabel(tr("Format"), "caption"), m_format);
    body()->addLayout(form);
    body()->addWidget(m_facts);
    m_notes->setWordWrap(true);
    body()->addWidget(m_notes);
    connect(m_length, &QSpinBox::valueChanged, this, &ModelSummary::choose);
    connect(m_format, &QComboBox::currentIndexChanged, this, &ModelSummary::choose);
    connect(&state, &ModelState::changed, this, &ModelSummary::showModel);
    showModel();
}

void ModelSummary::choose()
{
    m_state.setOptions(m_length->value(), kFormats[std::max(0, m_format->currentIndex())]);
}

void ModelSummary::showModel()
{
    const auto& model = m_state.model();
    setEnabled(model.has_value());
    if (!model)
        return;
    const QSignalBlocker quietLength(m_length), quietFormat(m_format);
    const std::int64_t most = model->shape.maxPositions;
    m_length->setMaximum(
        most > 0 ? static_cast<int>(std::min<std::int64_t>(most, kLongest)) : kLongest);
    m_length->setToolTip(tr("Tokens of a sample, at most %1 in this model: FLOPs and bytes are "
                            "counted for this length")
                             .arg(m_length->maximum()));
    m_length->setValue(static_cast<int>(model->seq));
    m_format->setCurrentIndex(static_cast<int>(
        std::find(std::begin(kFormats), std::end(kFormats), model->dtype) - std::begin(kFormats)));
    QList<std::pair<QString, QString>> facts;
    facts << std::pair(tr("Parameters"), count(model->parameters));
    if (model->activeParameters != model->parameters)
        facts << std::pair(tr("Used by a token"), count(model->activeParameters));
    const double weights = static_cast<double>(model->parameters) * bytesOf(model->dtype);
    facts << std::pair(tr("Weights"), bytesText(weights))
          << std::pair(tr("Forward"), flopsText(sum(*model, &Layer::forwardFlops)))
          << std::pair(tr("Stash"), bytesText(sum(*model, &Layer::stashBytes)))
          << std::pair(tr("Hidden × heads"),
                 model->shape.kvHeads == model->shape.heads
                     ? QStringLiteral("%1 × %2").arg(model->shape.hidden).arg(model->shape.heads)
                     : tr("%1 × %2 (%3 kv)")
                           .arg(model->shape.hidden)
                           .arg(model->shape.heads)
                           .arg(model->shape.kvHeads))
          << std::pair(tr("MLP width"), count(model->shape.ffn))
          << std::pair(tr("Vocabulary"), count(model->shape.vocab));
    m_facts->setFacts(facts);
    QStringList notes;
    if (model->tiedHead)
        notes << tr("The head uses the embedding's weight.");
    if (!model->counted.empty())
        notes << tr("Counted: %1.").arg(QString::fromStdString(model->counted));
    for (const std::string& note : model->notes)
        notes << (note.find("--seq") == std::string::npos
                ? QString::fromStdString(note)
                : tr("Counted for the longest sample the model takes: choose above the length that "
                     "is trained."));
    m_notes->setText(notes.join(u'\n'));
}

} // namespace stageloom
