// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_query.h"

#include <QRegularExpression>
#include <QStringList>
#include <cmath>

namespace stageloom {

namespace {

using Relation = RunQuery::Relation;
using Term = RunQuery::Term;

std::optional<RunField> fieldNamed(const QString& word)
{
    for (int i = 0; i < kRunFields; ++i)
        if (word == QLatin1String(fieldInfo(static_cast<RunField>(i)).key))
            return static_cast<RunField>(i);
    const std::pair<const char*, RunField> others[] = { { "tags", RunField::Tags },
        { "note", RunField::Notes }, { "val", RunField::Validation }, { "tokens", RunField::Rate },
        { "time", RunField::Duration }, { "id", RunField::Number } };
    for (const auto& [name, field] : others)
        if (word == QLatin1String(name))
            return field;
    return std::nullopt;
}

// "5k", "2.5GB", "3e-4", "12%", "5min".
std::optional<double> amount(const QString& text)
{
    static const QRegularExpression form(
        QStringLiteral(R"(^([+-]?[0-9]*\.?[0-9]+(?:e[+-]?[0-9]+)?)\s*([a-z%]*)$)"));
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    const std::pair<const char*, double> units[] = { { "", 1 }, { "%", 0.01 }, { "k", 1e3 },
        { "m", 1e6 }, { "g", 1e9 }, { "kb", 1e3 }, { "mb", 1e6 }, { "gb", 1e9 }, { "kib", 0x1p10 },
        { "mib", 0x1p20 }, { "gib", 0x1p30 }, { "s", 1 }, { "min", 60 }, { "h", 3600 } };
    for (const auto& [name, factor] : units)
        if (match.captured(2) == QLatin1String(name))
            return match.captured(1).toDouble() * factor;
    return std::nullopt;
}

Relation relationOf(const QString& sign)
{
    if (sign == QStringLiteral("<"))
        return Relation::Less;
    if (sign == QStringLiteral("<="))
        return Relation::LessOrEqual;
    if (sign == QStringLiteral(">"))
        return Relation::Greater;
    if (sign == QStringLiteral(">="))
        return Relation::GreaterOrEqual;
    return Relation::Equal;
}

std::optional<Term> parsed(QString part)
{
    static const QRegularExpression form(QStringLiteral(R"(^([a-z_]+)(:|<=|>=|<|>|=)(.*)$)"));
    Term term;
    if (part.size() > 1 && part.startsWith(u'-')) {
        term.negated = true;
        part.remove(0, 1);
    }
    const QRegularExpressionMatch match = form.match(part);
    const auto field = match.hasMatch() ? fieldNamed(match.captured(1)) : std::nullopt;
    if (!field) {
        term.text = part;
        return term;
    }
    term.field = field;
    term.text = match.captured(3);
    if (term.text.isEmpty())
        return std::nullopt;
    if (!fieldInfo(*field).number)
        return term;
    const std::optional<double> value = amount(term.text);
    if (!value)
        return std::nullopt;
    term.relation = relationOf(match.captured(2));
    term.value = *value;
    return term;
}

// At blanks, but not inside quotes; the quotes themselves are dropped.
QStringList partsOf(const QString& text)
{
    QStringList parts;
    QString part;
    bool quoted = false;
    for (const QChar c : text) {
        if (c == u'"') {
            quoted = !quoted;
        } else if (c.isSpace() && !quoted) {
            parts << part;
            part.clear();
        } else {
            part += c;
        }
    }
    parts << part;
    parts.removeAll(QString());
    return parts;
}

bool holds(const Term& term, double value)
{
    switch (term.relation) {
    case Relation::Less:
        return value < term.value;
    case Relation::LessOrEqual:
        return value <= term.value;
    case Relation::Greater:
        return value > term.value;
    case Relation::GreaterOrEqual:
        return value >= term.value;
    default: // as near as a person types it
        return std::fabs(value - term.value) <= 1e-6 * std::fabs(term.value);
    }
}

bool holds(const Term& term, const RunEntry& entry)
{
    if (!term.field)
        return entry.words.contains(term.text);
    if (term.relation != Relation::Contains)
        return holds(term, numberOf(entry, *term.field));
    const FieldInfo& info = fieldInfo(*term.field);
    const QString words = info.sought ? info.sought(entry) : textOf(entry, *term.field);
    return words.toLower().contains(term.text);
}

} // namespace

RunQuery RunQuery::parse(const QString& text)
{
    RunQuery query;
    for (const QString& part : partsOf(text.toLower()))
        if (std::optional<Term> term = parsed(part))
            query.m_terms.push_back(std::move(*term));
    return query;
}

bool RunQuery::matches(const RunEntry& entry) const
{
    return std::all_of(m_terms.begin(), m_terms.end(),
        [&](const Term& term) { return holds(term, entry) != term.negated; });
}

} // namespace stageloom
