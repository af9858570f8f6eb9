// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/run_fields.h"
#include "ui/theme/text.h"

#include "core/base/units.h"
#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>
#include <QStringList>
#include <cmath>
#include <limits>

namespace stageloom {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct Words {
    Q_DECLARE_TR_FUNCTIONS(RunFields)
};

double secondsSinceEpoch(const std::string& iso)
{
    const QDateTime time = QDateTime::fromString(QString::fromStdString(iso), Qt::ISODate);
    return time.isValid() ? static_cast<double>(time.toMSecsSinceEpoch()) / 1e3 : kUnknown;
}

template <typename T> double valueOf(const std::optional<T>& value)
{
    return value ? static_cast<double>(*value) : kUnknown;
}

// "6.4 s", "12 min 05 s", "3 h 20 min".
QString durationText(double seconds)
{
    const auto whole = static_cast<qint64>(std::llround(seconds));
    if (seconds < 60)
        return secondsText(seconds);
    if (whole < 3600)
        return Words::tr("%1 min %2 s").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
    return Words::tr("%1 h %2 min")
        .arg(whole / 3600)
        .arg(whole % 3600 / 60, 2, 10, QLatin1Char('0'));
}

} // namespace

RunEntry makeEntry(RunRow row, PlanFacts facts, double now)
{
    RunEntry entry;
    const double end = row.state == RunState::Running ? now : secondsSinceEpoch(row.ended);
    entry.seconds = std::max(0.0, end - secondsSinceEpoch(row.started));
    const QStringList words { QString::number(row.id.value), QString::fromStdString(row.name),
        stateWord(row.state), QString::fromStdString(row.schedule),
        QString::fromStdString(row.model), QString::fromStdString(row.started),
        joinedTags(row.tags), QString::fromStdString(row.notes) };
    entry.words = words.join(u'\n').toLower();
    entry.row = std::move(row);
    entry.facts = facts;
    return entry;
}

QString stateWord(RunState state)
{
    switch (state) {
    case RunState::Running:
        return Words::tr("running");
    case RunState::Finished:
        return Words::tr("finished");
    case RunState::Stopped:
        return Words::tr("stopped");
    case RunState::Failed:
        return Words::tr("failed");
    case RunState::Lost:
        return Words::tr("lost");
    }
    return {};
}

QString shortModelName(const std::string& source)
{
    QString name = QString::fromStdString(source);
    if (name.startsWith(QStringLiteral("preset:")))
        return name.mid(7);
    const QFileInfo file(name);
    const QString base = file.fileName();
    if (base == QStringLiteral("config.json") || base == QStringLiteral("graph.txt"))
        return QFileInfo(file.path()).fileName();
    for (const char* ending : { ".config.json", ".json", ".txt" })
        if (base.endsWith(QLatin1String(ending)))
            return base.chopped(static_cast<qsizetype>(std::char_traits<char>::length(ending)));
    return base;
}

QString joinedTags(const std::vector<std::string>& tags)
{
    QStringList words;
    for (const std::string& tag : tags)
        words << QString::fromStdString(tag);
    return words.join(QStringLiteral(", "));
}

std::vector<std::string> tagsFromText(const QString& text)
{
    std::vector<std::string> tags;
    for (const QString& part : text.split(u',')) {
        const std::string tag = part.simplified().toStdString();
        if (!tag.empty() && std::find(tags.begin(), tags.end(), tag) == tags.end())
            tags.push_back(tag);
    }
    return tags;
}

bool isNumber(RunField field)
{
    switch (field) {
    case RunField::Name:
    case RunField::State:
    case RunField::Started:
    case RunField::Schedule:
    case RunField::Model:
    case RunField::Tags:
    case RunField::Notes:
        return false;
    default:
        return true;
    }
}

QString titleOf(RunField field)
{
    const std::array<QString, kRunFields> titles { Words::tr("Run"), Words::tr("Name"),
        Words::tr("State"), Words::tr("Started (UTC)"), Words::tr("Duration"), Words::tr("Steps"),
        Words::tr("Loss"), Words::tr("Validation"), Words::tr("Tokens/s"), Words::tr("Bubble"),
        Words::tr("Peak memory"), Words::tr("Schedule"), Words::tr("Model"), Words::tr("Stages"),
        Words::tr("Microbatches"), Words::tr("Batch"), Words::tr("Learning rate"),
        Words::tr("Tags"), Words::tr("Notes") };
    return titles[static_cast<std::size_t>(field)];
}

// Not translated, like the options of the commands: a filter can be told to somebody else.
QString keyOf(RunField field)
{
    constexpr std::array<const char*, kRunFields> kKeys { "run", "name", "state", "started",
        "duration", "steps", "loss", "validation", "rate", "bubble", "memory", "schedule", "model",
        "stages", "microbatches", "batch", "lr", "tag", "notes" };
    return QLatin1String(kKeys[static_cast<std::size_t>(field)]);
}

double numberOf(const RunEntry& entry, RunField field)
{
    const RunRow& row = entry.row;
    switch (field) {
    case RunField::Number:
        return static_cast<double>(row.id.value);
    case RunField::Duration:
        return entry.seconds;
    case RunField::Steps:
        return static_cast<double>(row.steps);
    case RunField::Loss:
        return valueOf(row.finalLoss);
    case RunField::Validation:
        return valueOf(row.validationLoss);
    case RunField::Rate:
        return valueOf(row.tokensPerSecond);
    case RunField::Bubble:
        return valueOf(row.bubbleMeasured);
    case RunField::Memory:
        return valueOf(row.peakRssBytes);
    case RunField::Stages:
        return valueOf(entry.facts.stages);
    case RunField::Microbatches:
        return valueOf(entry.facts.microbatches);
    case RunField::Batch:
        return valueOf(entry.facts.batchSize());
    case RunField::LearningRate:
        return valueOf(entry.facts.learningRate);
    default:
        return kUnknown;
    }
}

QString fieldText(double value, RunField field)
{
    if (!std::isfinite(value))
        return {};
    switch (field) {
    case RunField::Duration:
        return durationText(value);
    case RunField::Loss:
    case RunField::Validation:
        return QString::number(value, 'f', value < 100 ? 3 : 0);
    case RunField::Bubble:
        return percentText(value);
    case RunField::Memory:
        return bytesText(value);
    case RunField::LearningRate:
        return QString::number(value, 'g', 3);
    case RunField::Number:
        return QString::number(static_cast<qint64>(value));
    default:
        return QString::fromStdString(groupDigits(std::llround(value)));
    }
}

QString textOf(const RunEntry& entry, RunField field)
{
    const RunRow& row = entry.row;
    switch (field) {
    case RunField::Name:
        return QString::fromStdString(row.name);
    case RunField::State:
        return stateWord(row.state);
    case RunField::Started:
        return QString::fromStdString(row.started).left(16).replace(u'T', u' ');
    case RunField::Steps:
        return row.plannedSteps > row.steps
            ? Words::tr("%1 of %2")
                  .arg(fieldText(static_cast<double>(row.steps), field),
                      fieldText(static_cast<double>(row.plannedSteps), field))
            : fieldText(static_cast<double>(row.steps), field);
    case RunField::Schedule:
        return QString::fromStdString(row.schedule);
    case RunField::Model:
        return shortModelName(row.model);
    case RunField::Tags:
        return joinedTags(row.tags);
    case RunField::Notes:
        return QString::fromStdString(row.notes);
    default:
        return fieldText(numberOf(entry, field), field);
    }
}

} // namespace stageloom
