// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/runs_state.h"

#include <QDateTime>
#include <algorithm>

namespace stageloom {

namespace {

// Plans do not change: only those of runs that are not known yet are read.
Result<std::vector<PlanFacts>> allFacts(const Database& database, const RunEntries& known)
{
    std::vector<PlanFacts> facts; // by id, ascending
    for (auto entry = known->rbegin(); entry != known->rend(); ++entry)
        facts.push_back(entry->facts);
    Result<std::vector<PlanFacts>> later
        = readPlanFacts(database, facts.empty() ? RunId {} : facts.back().id);
    if (!later)
        return later;
    facts.insert(facts.end(), later->begin(), later->end());
    return facts;
}

// Words that a person wrote, and those that stood there before.
class WordsEdit : public QUndoCommand {
public:
    WordsEdit(const QString& what, QString before, QString after,
        std::function<void(const QString&)> write)
        : QUndoCommand(what)
        , m_before(std::move(before))
        , m_after(std::move(after))
        , m_write(std::move(write))
    {
    }
    void undo() override { m_write(m_before); }
    void redo() override { m_write(m_after); }

private:
    QString m_before, m_after;
    std::function<void(const QString&)> m_write;
};

bool same(const std::vector<RunRow>& rows, const RunEntries& known)
{
    return std::equal(rows.begin(), rows.end(), known->begin(), known->end(),
        [](const RunRow& row, const RunEntry& entry) {
            return row.state != RunState::Running && row == entry.row;
        });
}

} // namespace

RunsState::RunsState(std::filesystem::path store, QObject* parent)
    : QObject(parent)
    , m_store(std::move(store))
    , m_entries(std::make_shared<const std::vector<RunEntry>>())
    , m_edits(m_store)
    , m_listJob(this)
    , m_removeJob(this)
{
    m_poll.setInterval(1000);
    connect(&m_poll, &QTimer::timeout, this, &RunsState::refresh);
    connect(&m_edits, &RunEdits::failed, this, &RunsState::failed);
    connect(&m_edits, &RunEdits::written, this, [this] {
        m_listJob.drop(); // may have read what was there before
        refresh();
    });
}

void RunsState::setFollowing(bool follow)
{
    if (follow) {
        refresh();
        m_poll.start();
    } else {
        m_poll.stop();
    }
}

// A connection belongs to one thread, so each job opens its own.
Result<RunEntries> RunsState::read(const std::filesystem::path& store, const RunEntries& known)
{
    std::error_code error;
    if (!std::filesystem::exists(store, error))
        return known->empty() ? nullptr : std::make_shared<const std::vector<RunEntry>>();
    Result<Database> database = Database::open(store, Database::Mode::WriteIfPossible);
    if (!database)
        return failure(database);
    RunStore runs(*database);
    if (const Result<int> reaped = runs.reapLost(); !reaped)
        return failure(reaped);
    Result<std::vector<RunRow>> rows = runs.list();
    if (!rows)
        return failure(rows);
    if (same(*rows, known))
        return RunEntries();
    const Result<std::vector<PlanFacts>> facts = allFacts(*database, known);
    if (!facts)
        return failure(facts);
    const double now = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1e3;
    auto entries = std::make_shared<std::vector<RunEntry>>();
    entries->reserve(rows->size());
    for (RunRow& row : *rows) {
        const auto at = std::lower_bound(facts->begin(), facts->end(), row.id,
            [](const PlanFacts& f, RunId id) { return f.id < id; });
        PlanFacts own;
        if (at != facts->end() && at->id == row.id)
            own = *at;
        own.id = row.id;
        entries->push_back(makeEntry(std::move(row), own, now));
    }
    return RunEntries(std::move(entries));
}

void RunsState::refresh()
{
    m_edits.write();
    if (m_listJob.running())
        return;
    m_listJob.start([store = m_store, known = m_entries] { return read(store, known); },
        [this](Result<RunEntries> entries) { take(std::move(entries)); });
}

void RunsState::take(Result<RunEntries> entries)
{
    const bool first = !std::exchange(m_loaded, true);
    setError(entries ? QString() : QString::fromStdString(entries.error().message));
    if (entries && *entries) {
        m_entries = std::move(*entries);
        if (!m_edits.isEmpty()) {
            auto shown = std::make_shared<std::vector<RunEntry>>(*m_entries);
            m_edits.applyTo(*shown);
            m_entries = std::move(shown);
        }
    } else if (!first) {
        return;
    }
    emit rowsChanged();
}

void RunsState::setError(const QString& error)
{
    if (std::exchange(m_error, error) != error)
        emit errorChanged();
}

const RunEntry* RunsState::entry(RunId id) const
{
    for (const RunEntry& entry : *m_entries)
        if (entry.row.id == id)
            return &entry;
    return nullptr;
}

const RunRow* RunsState::running() const
{
    for (const RunEntry& entry : *m_entries)
        if (entry.row.state == RunState::Running)
            return &entry.row;
    return nullptr;
}

void RunsState::edit(RunId id, RunField field, const QString& text)
{
    const RunEntry* known = entry(id);
    if (!known) { // nothing to go back to
        write(id, field, text);
        return;
    }
    const auto to = [this, id, field](const QString& words) { write(id, field, words); };
    m_undo.push(new WordsEdit(tr("%1 of run %2").arg(titleOf(field).toLower()).arg(id.value),
        textOf(*known, field), text, to));
}

void RunsState::write(RunId id, RunField field, const QString& text)
{
    m_edits.put(id, field, text);
    auto shown = std::make_shared<std::vector<RunEntry>>(*m_entries);
    m_edits.applyTo(*shown);
    m_entries = std::move(shown);
    emit rowsChanged();
}

std::pair<int, int> RunsState::removing() const
{
    if (!m_removing)
        return {};
    return { m_removing->gone.load(), m_removing->all };
}

void RunsState::stopRemoving()
{
    if (m_removing)
        m_removing->stop = true;
}

void RunsState::remove(const std::vector<RunId>& ids)
{
    if (m_removing)
        return;
    m_removing = std::make_shared<Removing>();
    m_removing->all = static_cast<int>(ids.size());
    m_removeJob.start(
        [store = m_store, ids, removing = m_removing]() -> QString {
            Result<Database> database = Database::open(store);
            if (!database)
                return QString::fromStdString(database.error().message);
            QString problem;
            for (const RunId id : ids) {
                if (removing->stop)
                    break;
                const Status gone = RunStore(*database).remove(id);
                if (gone)
                    ++removing->gone;
                else if (problem.isEmpty())
                    problem = QString::fromStdString(gone.error().message);
            }
            return problem;
        },
        [this](const QString& problem) {
            const int gone = std::exchange(m_removing, nullptr)->gone;
            if (!problem.isEmpty())
                emit failed(problem);
            m_listJob.drop();
            refresh();
            emit removed(gone);
        });
}

} // namespace stageloom
