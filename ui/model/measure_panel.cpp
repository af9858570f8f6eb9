// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/measure_panel.h"
#include "ui/theme/text.h"

#include "core/base/units.h"
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace stageloom {

MeasurePanel::MeasurePanel(Workspace& workspace, QWidget* parent)
    : Panel(tr("Layer times"), parent)
    , m_workspace(workspace)
    , m_text(makeLabel(QString(), "caption"))
    , m_insight(new QLabel)
    , m_progress(new QProgressBar)
    , m_start(new QPushButton(tr("Profile on this machine")))
    , m_cancel(new QPushButton(tr("Cancel")))
{
    m_text->setWordWrap(true);
    body()->addWidget(m_text);
    m_insight->setWordWrap(true);
    body()->addWidget(m_insight);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the measurement"));
    body()->addWidget(m_progress);
    m_start->setToolTip(tr("Runs each layer forward and backward on this machine's CPU"));
    m_cancel->setToolTip(tr("Ends the measurement; nothing is kept of it"));
    body()->addWidget(m_start);
    body()->addWidget(m_cancel);
    connect(&workspace.profiling, &LayerProfiling::measured, this, [this] {
        m_measured = QDateTime::currentDateTime();
        showState();
    });
    connect(&workspace.model, &ModelState::changed, this, [this] { m_measured = {}; });
    connect(m_start, &QPushButton::clicked, &workspace, &Workspace::profileShownModel);
    connect(m_cancel, &QPushButton::clicked, &workspace.profiling, &LayerProfiling::cancel);
    connect(&workspace.profiling, &LayerProfiling::stateChanged, this, &MeasurePanel::showState);
    connect(&workspace.model, &ModelState::changed, this, &MeasurePanel::showState);
    connect(&workspace.model, &ModelState::profileChanged, this, &MeasurePanel::showState);
    connect(&workspace.document, &PlanDocument::planChanged, this, &MeasurePanel::showState);
    showState();
}

QString MeasurePanel::resultText() const
{
    const auto& profile = m_workspace.model.profile();
    if (!profile)
        return tr("Predictions estimate times from FLOPs and bytes until layers are measured.");
    double forward = 0, backward = 0;
    for (const LayerTime& layer : profile->layers) {
        forward += layer.forward;
        backward += layer.backward;
    }
    QString text = tr("Forward %1, backward %2 for a microbatch of %3.")
                       .arg(secondsText(forward), secondsText(backward))
                       .arg(std::max<std::int64_t>(1, profile->microbatchSize));
    if (!profile->device.empty())
        text += u' '
            + (m_measured.isNull() ? tr("Measured on %1.") : tr("Measured %2 on %1."))
                  .arg(QString::fromStdString(profile->device));
    if (!m_measured.isNull())
        text = text.arg(QLocale().toString(m_measured, QLocale::ShortFormat));
    const PlanDocument& document = m_workspace.document;
    if (document.isOpen() && m_workspace.model.isModelOf(document.plan()))
        text += u' '
            + (document.plan().profile
                    ? tr("The plan predicts with them.")
                    : tr("The plan is for other devices than this machine's CPU, and keeps its "
                         "estimates."));
    return text;
}

QString timesInsight(const Model& model, const Profile& profile)
{
    if (profile.layers.size() != model.layers.size())
        return {};
    double blocks = 0, all = 0, most = 0;
    int count = 0;
    const Layer* longest = nullptr;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const double time = profile.layers[i].forward + profile.layers[i].backward;
        all += time;
        if (model.layers[i].kind == LayerKind::Block) {
            blocks += time;
            ++count;
        } else if (time > most) {
            most = time;
            longest = &model.layers[i];
        }
    }
    if (count == 0 || !(blocks > 0))
        return {};
    const double ratio = most * count / blocks;
    if (longest == nullptr || ratio < 0.5)
        return MeasurePanel::tr("The blocks take %1 of the time.").arg(percentText(blocks / all));
    return MeasurePanel::tr("The %1 takes as long as %2 blocks.")
        .arg(QString::fromStdString(longest->name), QString::number(ratio, 'f', 1));
}

void MeasurePanel::showState()
{
    const LayerProfiling& profiling = m_workspace.profiling;
    const bool running = profiling.isRunning();
    m_progress->setVisible(running);
    m_progress->setValue(static_cast<int>(profiling.fraction() * 1000));
    m_start->setVisible(!running);
    m_start->setEnabled(m_workspace.model.model().has_value());
    m_cancel->setVisible(running);
    const auto& profile = m_workspace.model.profile();
    const QString insight
        = profile && !running ? timesInsight(*m_workspace.model.model(), *profile) : QString();
    m_insight->setText(insight);
    m_insight->setVisible(!insight.isEmpty());
    m_start->setText(profile ? tr("Profile again") : tr("Profile on this machine"));
    const QString measured = percentText(profiling.fraction());
    m_text->setText(running ? (profiling.fraction() > 0 ? tr("Measuring, %1 done.").arg(measured)
                                                        : tr("The engine starts…"))
                            : resultText());
}

} // namespace stageloom
