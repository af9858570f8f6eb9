// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/run_edits.h"
#include <QTimer>
#include <QUndoStack>
#include <atomic>

namespace stageloom {

// The run table, followed by reading the store once a second in the thread pool.
class RunsState : public QObject {
    Q_OBJECT
public:
    explicit RunsState(std::filesystem::path store, QObject* parent = nullptr);
    void refresh();
    void setFollowing(bool follow); // polls only while somebody looks
    [[nodiscard]] bool isLoaded() const { return m_loaded; } // read once, or failed to
    [[nodiscard]] const QString& error() const { return m_error; } // of the last reading
    [[nodiscard]] const RunEntries& entries() const { return m_entries; } // never null
    [[nodiscard]] const RunEntry* entry(RunId id) const;
    [[nodiscard]] const std::filesystem::path& store() const { return m_store; }
    [[nodiscard]] const RunRow* running() const; // the newest run that still goes on

    void edit(RunId id, RunField field, const QString& text); // Name, Tags, Notes
    [[nodiscard]] QUndoStack& undoStack() { return m_undo; } // of those edits
    void remove(const std::vector<RunId>& ids); // running ones stay
    void stopRemoving(); // those that are gone stay gone
    [[nodiscard]] std::pair<int, int>
    removing() const; // gone, of all; {0, 0}: none is being removed

signals:
    void rowsChanged();
    void errorChanged(); // also when it went
    void removed(int count);
    void failed(const QString& sentence);

private:
    // Null: nothing changed since `known`.
    static Result<RunEntries> read(const std::filesystem::path& store, const RunEntries& known);
    struct Removing {
        std::atomic<int> gone { 0 };
        std::atomic<bool> stop { false };
        int all = 0;
    };
    void write(RunId id, RunField field, const QString& text);
    void take(Result<RunEntries> entries);
    void setError(const QString& error);

    std::filesystem::path m_store;
    RunEntries m_entries;
    bool m_loaded = false;
    QString m_error;
    RunEdits m_edits;
    QUndoStack m_undo;
    std::shared_ptr<Removing> m_removing; // none: nothing is removed
    LatestJob<Result<RunEntries>> m_listJob;
    LatestJob<QString> m_removeJob;
    QTimer m_poll;
};

} // namespace stageloom
