// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_facts_model.h"

#include "core/base/units.h"
#include "core/plan/optimizer_json.h"
#include "ui/state/run_fields.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"

namespace stageloom {

namespace {

// Adds a section only with its first fact.
class Facts {
public:
    void section(const QString& title) { m_pending = title; }
    void add(const QString& name, const QString& value)
    {
        if (value.isEmpty())
            return;
        if (!m_pending.isEmpty())
            m_facts.push_back({ std::exchange(m_pending, QString()), {}, true });
        m_facts.push_back({ name, value, false });
    }
    // A leaf of a document, whatever its type.
    void add(const QString& name, const Json& document, const char* pointer)
    {
        const Json::json_pointer at(pointer);
        if (!document.is_object() || !document.contains(at) || document[at].is_null())
            return;
        const Json& value = document[at];
        add(name,
            QString::fromStdString(value.is_string() ? value.get<std::string>() : jsonLine(value)));
    }
    std::vector<RunFact> take() { return std::move(m_facts); }

private:
    std::vector<RunFact> m_facts;
    QString m_pending;
};

QString share(const std::optional<double>& fraction)
{
    return fraction ? percentText(*fraction) : QString();
}

QString stageWords(const Json& stage)
{
    QString devices;
    if (stage.contains("devices"))
        for (const Json& device : stage["devices"])
            devices += (devices.isEmpty() ? QString() : QStringLiteral(", "))
                + QString::fromStdString(jsonLine(device));
    QString words = RunFactsModel::tr("layers %1–%2 on device %3")
                        .arg(stage.value("first_layer", 0))
                        .arg(stage.value("last_layer", 0))
                        .arg(devices);
    if (stage.value("recompute", false))
        words += RunFactsModel::tr(", recompute");
    return words;
}

void addPlan(Facts& facts, const Json& plan)
{
    facts.section(RunFactsModel::tr("Plan"));
    facts.add(RunFactsModel::tr("Name"), plan, "/name");
    facts.add(RunFactsModel::tr("Model"), plan, "/model/source");
    facts.add(RunFactsModel::tr("Machine"), plan, "/topology/source");
    facts.add(RunFactsModel::tr("Schedule"), plan, "/schedule");
    facts.add(RunFactsModel::tr("Sequence"), plan, "/seq");
    facts.add(RunFactsModel::tr("Microbatches"), plan, "/microbatches");
    facts.add(RunFactsModel::tr("Microbatch size"), plan, "/microbatch_size");
    if (const Json::json_pointer at("/optimizer/kind");
        plan.is_object() && plan.contains(at) && plan[at].is_string())
        if (const auto kind = parseOptimizerKind(plan[at].get<std::string>()))
            facts.add(RunFactsModel::tr("Optimizer"), optimizerName(*kind));
    facts.add(RunFactsModel::tr("Learning rate"), plan, "/optimizer/learning_rate");
    if (plan.is_object() && plan.contains("stages") && plan["stages"].is_array())
        for (std::size_t i = 0; i < plan["stages"].size(); ++i)
            facts.add(RunFactsModel::tr("Stage %1").arg(i), stageWords(plan["stages"][i]));
}

} // namespace

std::vector<RunFact> runFacts(const RunDetails& details)
{
    const RunRow& row = details.row;
    const RunEntry entry = makeEntry(row, {}, 0);
    Facts facts;
    facts.section(RunFactsModel::tr("Outcome"));
    facts.add(RunFactsModel::tr("State"), stateWord(row.state));
    facts.add(RunFactsModel::tr("Last words"), QString::fromStdString(row.failure));
    for (const RunField field : { RunField::Started, RunField::Duration, RunField::Steps,
             RunField::Loss, RunField::Validation, RunField::Rate, RunField::Memory })
        if (field != RunField::Duration || row.state != RunState::Running)
            facts.add(titleOf(field), textOf(entry, field));
    facts.add(RunFactsModel::tr("Bubble predicted"), share(row.bubblePredicted));
    facts.add(RunFactsModel::tr("Bubble measured"), share(row.bubbleMeasured));
    addPlan(facts, details.plan);
    facts.section(RunFactsModel::tr("Data"));
    facts.add(RunFactsModel::tr("Data"), details.request, "/data");
    facts.add(RunFactsModel::tr("Seed"), details.request, "/seed");
    facts.add(RunFactsModel::tr("Held out"), details.request, "/validation_fraction");
    facts.add(RunFactsModel::tr("Evaluates every"), details.request, "/eval_interval");
    facts.section(RunFactsModel::tr("Environment"));
    if (details.environment.is_object())
        for (const auto& [key, value] : details.environment.items())
            facts.add(QString::fromStdString(key).replace(u'_', u' '),
                QString::fromStdString(
                    value.is_string() ? value.get<std::string>() : jsonLine(value)));
    facts.add(RunFactsModel::tr("Folder"), QString::fromStdString(row.folder));
    return facts.take();
}

void RunFactsModel::setFacts(std::vector<RunFact> facts)
{
    beginResetModel();
    m_facts = std::move(facts);
    endResetModel();
}

int RunFactsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_facts.size());
}

int RunFactsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : 2;
}

QVariant RunFactsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == 0 ? RunFactsModel::tr("Field") : RunFactsModel::tr("Value");
}

QVariant RunFactsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const RunFact& fact = m_facts[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return index.column() == 0 ? fact.name : fact.value;
    case HeadingRole:
        return fact.heading;
    case Qt::FontRole:
        return fact.heading ? QVariant(theme().titleFont()) : QVariant();
    case Qt::ForegroundRole:
        return index.column() == 0 && !fact.heading ? QVariant(theme().muted) : QVariant();
    default:
        return {};
    }
}

} // namespace stageloom
