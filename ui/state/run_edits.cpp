// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/run_edits.h"

#include <algorithm>

namespace stageloom {

namespace {

Status writeOne(Database& database, const RunEdits::Edit& edit)
{
    RunStore store(database);
    switch (edit.field) {
    case RunField::Name:
        return store.setName(edit.id, edit.text);
    case RunField::Tags:
        return store.setTags(edit.id, tagsFromText(QString::fromStdString(edit.text)));
    default:
        return store.setNotes(edit.id, edit.text);
    }
}

void show(RunEntry& entry, const RunEdits::Edit& edit)
{
    RunRow row = entry.row;
    if (edit.field == RunField::Name)
        row.name = edit.text;
    else if (edit.field == RunField::Tags)
        row.tags = tagsFromText(QString::fromStdString(edit.text));
    else
        row.notes = edit.text;
    const double seconds = entry.seconds;
    entry = makeEntry(std::move(row), entry.facts, 0);
    entry.seconds = seconds;
}

} // namespace

RunEdits::RunEdits(std::filesystem::path store, QObject* parent)
    : QObject(parent)
    , m_store(std::move(store))
    , m_job(this)
{
}

RunEdits::~RunEdits()
{
    if (!m_edits.empty())
        writeAll(m_store, m_edits);
}

void RunEdits::put(RunId id, RunField field, const QString& text)
{
    const Edit edit { id, field, text.toStdString() };
    std::erase_if(m_edits, [&](const Edit& e) { return e.id == id && e.field == field; });
    m_edits.push_back(edit);
    write();
}

void RunEdits::write()
{
    if (m_edits.empty() || m_job.running())
        return;
    m_job.start([store = m_store, edits = m_edits] { return writeAll(store, edits); },
        [this](const Outcome& outcome) { finish(outcome); });
}

RunEdits::Outcome RunEdits::writeAll(
    const std::filesystem::path& store, const std::vector<Edit>& edits)
{
    Outcome outcome;
    const auto fails = [&outcome](const std::string& message) {
        if (outcome.sentence.isEmpty())
            outcome.sentence = QString::fromStdString(message);
    };
    Result<Database> database = Database::open(store);
    if (!database) {
        fails(database.error().message);
        return outcome;
    }
    for (const Edit& edit : edits) {
        const Status status = writeOne(*database, edit);
        if (!status)
            fails(status.error().message);
        if (status || status.error().kind == ErrorKind::Invalid)
            outcome.settled.push_back(edit);
    }
    return outcome;
}

void RunEdits::finish(const Outcome& outcome)
{
    std::erase_if(m_edits, [&](const Edit& edit) {
        return std::find(outcome.settled.begin(), outcome.settled.end(), edit)
            != outcome.settled.end();
    });
    if (!outcome.sentence.isEmpty()) {
        if (std::exchange(m_lastFailure, outcome.sentence) != outcome.sentence)
            emit failed(tr("What you wrote is not saved yet and stays here until it is: %1")
                            .arg(outcome.sentence));
        return;
    }
    m_lastFailure.clear();
    if (m_edits.empty())
        emit written();
    else
        write(); // typed while the last try ran
}

void RunEdits::applyTo(std::vector<RunEntry>& entries) const
{
    for (const Edit& edit : m_edits)
        for (RunEntry& entry : entries)
            if (entry.row.id == edit.id)
                show(entry, edit);
}

} // namespace stageloom
