// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include <QLockFile>
#include <QObject>
#include <QThreadPool>
#include <memory>
#include <optional>

namespace stageloom {

// Where the unsaved edits of one open plan are kept: beside its file, or in the program's own
// folder where it has none. Two windows with the same plan have a place each, so that neither
// writes over the other's; a lock that dies with its process says which places are taken. Writing
// happens on a thread of its own, in order.
class Autosave : public QObject {
    Q_OBJECT
public:
    explicit Autosave(QObject* parent = nullptr);
    ~Autosave() override; // what is on its way is written first

    // Takes a free place for this plan file, or for a plan without one (empty).
    void claim(const QString& planFile);
    [[nodiscard]] QString file() const; // of the edits
    // What the edits start from: the plan's file, or the copy kept of a plan without one.
    [[nodiscard]] const QString& base() const { return m_base; }

    struct Content {
        std::optional<Plan> base; // written first where it is set: a new plan without a file
        std::optional<Plan> edited; // none: what was kept is removed
    };
    void writeSoon(Content content);
    Status writeNow(const Content& content);
    void remove(); // the edits are saved, or not wanted any more

signals:
    void failed(const QString& sentence); // the first time after a success
    void baseLost(); // the base could not be written: it is due again

private:
    void report(const Status& status, bool wroteBase);
    QString m_base;
    int m_slot = 1;
    bool m_failing = false;
    std::unique_ptr<QLockFile> m_lock;
    QThreadPool m_writer;
};

} // namespace stageloom
