// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/latest_job.h"
#include "ui/state/run_fields.h"
#include <QObject>
#include <filesystem>

namespace stageloom {

// Names, tags and notes on their way into the store. What was typed is shown at once and kept until
// the store has it: a store that is locked gets it at the next try, at the latest when this goes.
class RunEdits : public QObject {
    Q_OBJECT
public:
    explicit RunEdits(std::filesystem::path store, QObject* parent = nullptr);
    ~RunEdits() override; // writes what is left

    void put(RunId id, RunField field, const QString& text); // Name, Tags or Notes
    void write(); // tries what is left, in the thread pool; one try at a time, so in order
    [[nodiscard]] bool isEmpty() const { return m_edits.empty(); }
    void applyTo(std::vector<RunEntry>& entries) const; // shows what the store does not have yet

    struct Edit {
        RunId id;
        RunField field = RunField::Notes;
        std::string text;
        bool operator==(const Edit&) const = default;
    };

signals:
    void written(); // the store has all of it
    void failed(const QString& sentence);

private:
    struct Outcome {
        std::vector<Edit> settled; // written, or their run is gone
        QString sentence; // of the first failure
    };
    static Outcome writeAll(const std::filesystem::path& store, const std::vector<Edit>& edits);
    void finish(const Outcome& outcome);

    std::filesystem::path m_store;
    std::vector<Edit> m_edits; // at most one a run and field
    QString m_lastFailure; // said once
    LatestJob<Outcome> m_job;
};

} // namespace stageloom
