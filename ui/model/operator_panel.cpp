// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/operator_panel.h"

#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <algorithm>

namespace stageloom {

// Forward times of equal layers, one bar each from zero on, in the hues of their stages.
class BlockTimes : public QWidget {
public:
    explicit BlockTimes(QWidget* parent = nullptr)
        : QWidget(parent)
    {
        setMinimumWidth(140);
        setMaximumWidth(252);
        setMinimumHeight(88);
    }
    void show(std::vector<double> times, std::vector<int> stages)
    {
        m_times = std::move(times);
        m_stages = std::move(stages);
        setVisible(m_times.size() > 1);
        if (m_times.empty())
            return;
        const auto [least, most] = std::minmax_element(m_times.begin(), m_times.end());
        m_title = OperatorPanel::tr("Forward in each block");
        m_range = OperatorPanel::tr("%1 to %2").arg(secondsText(*least), secondsText(*most));
        m_most = *most;
        setToolTip(m_title + QStringLiteral(": ") + m_range);
        setAccessibleName(toolTip());
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Theme& look = theme();
        QPainter painter(this);
        painter.setFont(look.captionFont());
        painter.setPen(look.muted);
        const int line = painter.fontMetrics().height() + 4;
        painter.drawText(QRect(0, 0, width(), line), Qt::AlignLeft, m_title);
        painter.drawText(QRect(0, line - 2, width(), line), Qt::AlignLeft, m_range);
        const QRectF area(0, 2 * line, width(), height() - 2 * line - 1);
        const double wide = area.width() / static_cast<double>(m_times.size());
        painter.setPen(Qt::NoPen);
        for (std::size_t i = 0; i < m_times.size() && m_most > 0; ++i) {
            const double high = area.height() * m_times[i] / m_most;
            const QColor hue = i < m_stages.size() ? look.stage(m_stages[i]) : look.accent;
            painter.setBrush(Theme::mix(hue, look.panel, 0.6));
            painter.drawRect(QRectF(area.left() + static_cast<double>(i) * wide,
                area.bottom() - high, std::max(1.0, wide - 1), high));
        }
        painter.setPen(look.line);
        painter.drawLine(area.bottomLeft(), area.bottomRight());
    }

private:
    std::vector<double> m_times;
    std::vector<int> m_stages;
    QString m_title, m_range;
    double m_most = 0;
};

namespace {

QLabel* value()
{
    auto* label = makeLabel(QString(), "fact");
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QString grouped(std::int64_t number)
{
    return QString::fromStdString(groupDigits(number));
}

} // namespace

OperatorPanel::OperatorPanel(const LayersModel& layers, QWidget* parent)
    : Panel(tr("Chosen layer"), parent)
    , m_layers(layers)
    , m_flow(value())
    , m_weight(value())
    , m_kept(value())
    , m_measured(value())
    , m_times(new BlockTimes)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(Theme::kPadding);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(6);
    form->addRow(makeLabel(tr("Input → output"), "caption"), m_flow);
    form->addRow(makeLabel(tr("Weight"), "caption"), m_weight);
    form->addRow(makeLabel(tr("Stash"), "caption"), m_kept);
    form->addRow(makeLabel(tr("Measured"), "caption"), m_measured);
    row->addLayout(form, 5);
    row->addWidget(m_times, 3);
    body()->addLayout(row);
    body()->addStretch(1);
}

void OperatorPanel::setStages(std::vector<int> stageOf)
{
    m_stages = std::move(stageOf);
}

QString OperatorPanel::flowText(const Model& model, const Subject& of) const
{
    const auto side = [&](std::int64_t width) {
        return QStringLiteral("%1 × %2").arg(grouped(model.seq), grouped(width));
    };
    if (of.first == nullptr)
        return QStringLiteral("–");
    const QString in = of.first->inputWidth == 1 ? tr("%1 tokens").arg(grouped(model.seq))
                                                 : side(of.first->inputWidth);
    return in + QStringLiteral(" → ") + side(of.last->outputWidth);
}

QString OperatorPanel::weightText(const Model& model, const Subject& of, int count, bool part) const
{
    if (of.last != nullptr && of.last->tiedParameters > 0)
        return tr("the embedding's, %1 parameters")
            .arg(countText(static_cast<double>(of.last->tiedParameters)));
    if (of.parameters == 0)
        return tr("none");
    const double bytes = static_cast<double>(of.parameters) * bytesOf(model.dtype);
    QString text = tr("%1 parameters, %2 in %3")
                       .arg(countText(static_cast<double>(of.parameters)), bytesText(bytes),
                           QString::fromStdString(toString(model.dtype)));
    if (count > 1)
        text = tr("%1 a block, %2 in %3 blocks").arg(text, bytesText(bytes * count)).arg(count);
    if (part && of.first->name.find("norm") == std::string::npos
        && of.first->weightShape.size() == 2
        && of.parameters > of.first->weightShape[0] * of.first->weightShape[1])
        text += tr(", with a bias");
    return text;
}

QString OperatorPanel::keptText(const Subject& of, int count, bool part) const
{
    if (part && !of.first->stashWith.empty())
        return tr("nothing of its own: its input is kept for %1")
            .arg(QString::fromStdString(of.first->stashWith));
    if (!(of.stash > 0))
        return tr("nothing is kept for backward");
    QString what = part
        ? (of.first->keepsOutput ? tr("its input and output, %1") : tr("its input, %1"))
        : tr("%1 kept for backward");
    what = what.arg(bytesText(of.stash));
    return count > 1
        ? tr("%1 a block, %2 in %3 blocks").arg(what, bytesText(of.stash * count)).arg(count)
        : what;
}

QString OperatorPanel::measuredText(const LayersModel::Place& place, const Layer& layer) const
{
    const auto& profile = m_layers.profile();
    if (!profile)
        return tr("not yet: profile the model on this machine");
    double forward = 0, backward = 0;
    const int count = place.lastLayer - place.firstLayer + 1;
    for (int i = place.firstLayer; i <= place.lastLayer; ++i) {
        forward += profile->layers[static_cast<std::size_t>(i)].forward / count;
        backward += profile->layers[static_cast<std::size_t>(i)].backward / count;
    }
    const QString whole
        = tr("forward %1, backward %2").arg(secondsText(forward), secondsText(backward));
    if (place.part >= 0)
        return tr("with its whole layer: %1").arg(whole);
    if (forward <= 0 || layer.forwardFlops <= 0)
        return whole;
    const double samples = static_cast<double>(std::max<std::int64_t>(1, profile->microbatchSize));
    return tr("%1, at %2/s").arg(whole, flopsText(layer.forwardFlops * samples / forward));
}

void OperatorPanel::show(const Model& model, const LayersModel::Place& place)
{
    if (place.firstLayer < 0 || place.lastLayer >= static_cast<int>(model.layers.size()))
        return;
    const Layer& layer = model.layers[static_cast<std::size_t>(place.firstLayer)];
    const auto found = m_layers.operators().find(layer.kind);
    const bool part = place.part >= 0;
    const int count = place.lastLayer - place.firstLayer + 1;
    Subject of;
    QString name = count > 1 ? tr("block × %1").arg(count) : QString::fromStdString(layer.name);
    QString caption = count > 1 ? tr("%1 equal blocks").arg(count) : QString();
    if (found != m_layers.operators().end() && !found->second.empty()) {
        const auto& all = found->second;
        of.first = part ? &all[static_cast<std::size_t>(place.part)] : &all.front();
        of.last = part ? of.first : &all.back();
    }
    of.parameters = part ? of.first->parameters : layer.parameters;
    of.stash = part ? of.first->stashBytes : layer.stashBytes;
    if (part || (of.first != nullptr && of.first == of.last)) {
        if (part)
            name = QString::fromStdString(of.first->name);
        QString weight = QString::fromStdString(of.first->weightName);
        weight.replace(QStringLiteral("{}"),
            count > 1 ? QStringLiteral("0–%1").arg(count - 1) : QStringLiteral("0"));
        caption = count > 1 ? tr("in every block")
                            : tr("in the %1").arg(QString::fromStdString(layer.name));
        if (!weight.isEmpty())
            caption += QStringLiteral(" · ") + weight + QStringLiteral(".weight");
    }
    setAccessibleDescription(name);
    setCaption(caption.isEmpty() ? name : name + QStringLiteral(" · ") + caption);
    m_flow->setText(flowText(model, of));
    m_weight->setText(weightText(model, of, count, part));
    m_kept->setText(keptText(of, count, part));
    m_measured->setText(measuredText(place, layer));
    std::vector<double> times;
    std::vector<int> stages;
    if (m_layers.profile() && count > 1)
        for (int i = place.firstLayer; i <= place.lastLayer; ++i) {
            times.push_back(m_layers.profile()->layers[static_cast<std::size_t>(i)].forward);
            if (i < static_cast<int>(m_stages.size()))
                stages.push_back(m_stages[static_cast<std::size_t>(i)]);
        }
    m_times->show(std::move(times), std::move(stages));
}

} // namespace stageloom
