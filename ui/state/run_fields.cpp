// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/run_fields.h"
#include "ui/theme/text.h"

#include "core/base/units.h"
#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>
#include <QLocale>
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

QString localTime(const std::string& iso)
{
    return QDateTime::fromString(QString::fromStdString(iso), Qt::ISODate)
        .toLocalTime()
        .toString(QStringLiteral("yyyy-MM-dd HH:mm"));
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
        QString::fromStdString(row.model), localTime(row.started), joinedTags(row.tags),
        QString::fromStdString(row.notes) };
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

QString timeZoneWords()
{
    const int seconds = QDateTime::currentDateTime().offsetFromUtc();
    const int minutes = std::abs(seconds) / 60;
    QString offset = QString::number(minutes / 60);
    if (minutes % 60 != 0)
        offset += QStringLiteral(":%1").arg(minutes % 60, 2, 10, QLatin1Char('0'));
    return seconds == 0 ? Words::tr("Times are local (UTC)")
                        : Words::tr("Times are local (UTC%1%2)")
                              .arg(seconds < 0 ? QStringLiteral("−") : QStringLiteral("+"), offset);
}

namespace {

QString signedText(double value, const QString& magnitude)
{
    return (value < 0          ? QStringLiteral("−")
                   : value > 0 ? QStringLiteral("+")
                               : QStringLiteral("±"))
        + magnitude;
}

QString lossText(double value)
{
    return QString::number(value, 'f', value < 100 ? 3 : 0);
}

// "30 Nov 09:12", of another year "30 Nov 2025".
QString startedText(const RunEntry& entry)
{
    const QDateTime time
        = QDateTime::fromString(QString::fromStdString(entry.row.started), Qt::ISODate)
              .toLocalTime();
    const bool thisYear = time.date().year() == QDate::currentDate().year();
    return QLocale().toString(
        time, thisYear ? QStringLiteral("d MMM HH:mm") : QStringLiteral("d MMM yyyy"));
}

QString validationDifference(const RunEntry& entry)
{
    if (!entry.difference)
        return {};
    if (entry.difference->isBaseline)
        return Words::tr("baseline");
    const double value = entry.difference->validation;
    if (!std::isfinite(value))
        return {};
    const QString text
        = signedText(std::round(value * 1e3), QString::number(std::fabs(value), 'f', 3));
    return entry.difference->step > 0 ? text + QStringLiteral(" ¹") : text;
}

QString rateDifference(const RunEntry& entry)
{
    if (!entry.difference)
        return {};
    if (entry.difference->isBaseline)
        return Words::tr("baseline");
    const double value = entry.difference->rate;
    return std::isfinite(value) ? signedText(std::round(value * 1e3),
               QString::number(std::fabs(value) * 100, 'f', 1) + QStringLiteral(" %"))
                                : QString();
}

QString stepsText(const RunEntry& entry)
{
    const auto number
        = [](std::int64_t steps) { return QString::fromStdString(groupDigits(steps)); };
    const RunRow& row = entry.row;
    return row.plannedSteps > row.steps
        ? QStringLiteral("%1 / %2").arg(number(row.steps), number(row.plannedSteps))
        : number(row.steps);
}

#define NAME(text) QT_TRANSLATE_NOOP("RunFields", text)

// In the order of the enumeration; a column more is a row more here.
const FieldInfo kFields[] = {
    { .field = RunField::Number,
        .key = "run",
        .title = NAME("Run"),
        .tip = "",
        .number = true,
        .value = [](const RunEntry& e) { return static_cast<double>(e.row.id.value); },
        .valueText = [](double v) { return QString::number(static_cast<qint64>(v)); } },
    { .field = RunField::Name,
        .key = "name",
        .title = NAME("Name"),
        .tip = "",
        .shrinks = Shrinks::Last,
        .text = [](const RunEntry& e) { return QString::fromStdString(e.row.name); },
        .writable = true },
    { .field = RunField::State,
        .key = "state",
        .title = NAME("State"),
        .tip = "",
        .text = [](const RunEntry& e) { return stateWord(e.row.state); },
        // In the language of the window and in that of the commands.
        .sought =
            [](const RunEntry& e) {
                return stateWord(e.row.state) + u' '
                    + QString::fromStdString(toString(e.row.state));
            } },
    { .field = RunField::Started,
        .key = "started",
        .title = NAME("Started"),
        .tip = NAME("In this machine's time zone"),
        .value = [](const RunEntry& e) { return secondsSinceEpoch(e.row.started); },
        .text = startedText,
        .sought = [](const RunEntry& e) { return localTime(e.row.started); } },
    { .field = RunField::Duration,
        .key = "duration",
        .title = NAME("Duration"),
        .tip = "",
        .number = true,
        .value = [](const RunEntry& e) { return e.seconds; },
        .valueText = durationText },
    { .field = RunField::Steps,
        .key = "steps",
        .title = NAME("Steps"),
        .tip = NAME("Batches done, and of how many where there were to be more"),
        .number = true,
        .value = [](const RunEntry& e) { return static_cast<double>(e.row.steps); },
        .text = stepsText },
    { .field = RunField::Schedule,
        .key = "schedule",
        .title = NAME("Schedule"),
        .tip = "",
        .shrinks = Shrinks::Last,
        .text = [](const RunEntry& e) { return QString::fromStdString(e.row.schedule); } },
    { .field = RunField::Loss,
        .key = "loss",
        .title = NAME("Loss"),
        .tip = NAME("Of the last batch, nats per token"),
        .number = true,
        .axis = true,
        .value = [](const RunEntry& e) { return valueOf(e.row.finalLoss); },
        .valueText = lossText },
    { .field = RunField::Validation,
        .key = "validation",
        .title = NAME("Validation"),
        .tip = NAME("Loss of the held-out text at the last evaluation, nats per token"),
        .number = true,
        .axis = true,
        .value = [](const RunEntry& e) { return valueOf(e.row.validationLoss); },
        .valueText = lossText },
    { .field = RunField::ValidationDelta,
        .key = "dvalidation",
        .title = NAME("Δ validation"),
        .tip = NAME("Against the baseline (B pins it); less is better. ¹: the runs have other "
                    "numbers of steps, compared at the last evaluation that both have"),
        .number = true,
        .value
        = [](const RunEntry& e) { return e.difference ? e.difference->validation : kUnknown; },
        .text = validationDifference },
    { .field = RunField::Rate,
        .key = "rate",
        .title = NAME("Tokens/s"),
        .tip = "",
        .number = true,
        .axis = true,
        .value = [](const RunEntry& e) { return valueOf(e.row.tokensPerSecond); } },
    { .field = RunField::RateDelta,
        .key = "drate",
        .title = NAME("Δ tokens/s"),
        .tip = NAME("Against the baseline (B pins it); more is better"),
        .number = true,
        .value = [](const RunEntry& e) { return e.difference ? e.difference->rate : kUnknown; },
        .text = rateDifference },
    { .field = RunField::Bubble,
        .key = "bubble",
        .title = NAME("Bubble"),
        .tip = NAME("Idle share of the devices, measured"),
        .number = true,
        .optional = true,
        .axis = true,
        .value = [](const RunEntry& e) { return valueOf(e.row.bubbleMeasured); },
        .valueText = percentText },
    { .field = RunField::Memory,
        .key = "memory",
        .title = NAME("Peak memory"),
        .tip = NAME("Of the engine's process"),
        .number = true,
        .optional = true,
        .axis = true,
        .value = [](const RunEntry& e) { return valueOf(e.row.peakRssBytes); },
        .valueText = bytesText },
    { .field = RunField::Model,
        .key = "model",
        .title = NAME("Model"),
        .tip = "",
        .shrinks = Shrinks::Last,
        .text = [](const RunEntry& e) { return shortModelName(e.row.model); } },
    { .field = RunField::Stages,
        .key = "stages",
        .title = NAME("Stages"),
        .tip = "",
        .number = true,
        .optional = true,
        .axis = true,
        .value = [](const RunEntry& e) { return valueOf(e.facts.stages); } },
    { .field = RunField::Microbatches,
        .key = "microbatches",
        .title = NAME("Microbatches"),
        .tip = "",
        .number = true,
        .optional = true,
        .axis = true,
        .value = [](const RunEntry& e) { return valueOf(e.facts.microbatches); } },
    { .field = RunField::Batch,
        .key = "batch",
        .title = NAME("Batch"),
        .tip = NAME("Samples a batch"),
        .number = true,
        .optional = true,
        .axis = true,
        .value = [](const RunEntry& e) { return valueOf(e.facts.batchSize()); } },
    { .field = RunField::LearningRate,
        .key = "lr",
        .title = NAME("Learning rate"),
        .tip = "",
        .number = true,
        .optional = true,
        .axis = true,
        .value = [](const RunEntry& e) { return valueOf(e.facts.learningRate); },
        .valueText = [](double v) { return QString::number(v, 'g', 3); } },
    { .field = RunField::Tags,
        .key = "tag",
        .title = NAME("Tags"),
        .tip = "",
        .shrinks = Shrinks::First,
        .text = [](const RunEntry& e) { return joinedTags(e.row.tags); },
        .writable = true },
    { .field = RunField::Notes,
        .key = "notes",
        .title = NAME("Notes"),
        .tip = "",
        .shrinks = Shrinks::First,
        .text = [](const RunEntry& e) { return QString::fromStdString(e.row.notes); },
        .writable = true },
};
static_assert(std::size(kFields) == kRunFields);

#undef NAME

} // namespace

const FieldInfo& fieldInfo(RunField field)
{
    return kFields[static_cast<std::size_t>(field)];
}

QString titleOf(RunField field)
{
    return Words::tr(fieldInfo(field).title);
}

double numberOf(const RunEntry& entry, RunField field)
{
    const FieldInfo& info = fieldInfo(field);
    return info.value ? info.value(entry) : kUnknown;
}

QString fieldText(double value, RunField field)
{
    if (!std::isfinite(value))
        return {};
    const FieldInfo& info = fieldInfo(field);
    return info.valueText ? info.valueText(value)
                          : QString::fromStdString(groupDigits(std::llround(value)));
}

QString textOf(const RunEntry& entry, RunField field)
{
    const FieldInfo& info = fieldInfo(field);
    return info.text ? info.text(entry) : fieldText(info.value(entry), field);
}

} // namespace stageloom
