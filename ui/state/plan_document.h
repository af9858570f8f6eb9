// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "ui/state/autosave.h"
#include <QObject>
#include <QTimer>
#include <QUndoStack>
#include <optional>

namespace stageloom {

// The one open plan: its file, undo stack and autosave. Edits are plans, never patches.
class PlanDocument : public QObject {
    Q_OBJECT
public:
    explicit PlanDocument(QObject* parent = nullptr);
    ~PlanDocument() override;

    [[nodiscard]] bool isOpen() const { return m_open; }
    [[nodiscard]] const Plan& plan() const { return *m_plan; }
    [[nodiscard]] const Plan& savedPlan() const { return *m_saved; } // what edits are compared with
    [[nodiscard]] QString file() const { return m_file; }
    [[nodiscard]] bool isDirty() const { return m_open && !m_undo.isClean(); }
    [[nodiscard]] bool isRecovered() const { return m_recovered; } // and not saved since
    [[nodiscard]] QString title() const;
    // Another number after each edit, undo, redo and opening: whether something changed meanwhile.
    [[nodiscard]] int revision() const { return m_revision; }
    QUndoStack& undoStack() { return m_undo; }
    [[nodiscard]] QString suggestedFile() const; // its own, or one of its name at home

    // Reads a plan file; edits that a crash left beside it come back as one edit, to be saved or
    // undone.
    Status open(const QString& path);
    void openRead(const QString& path, Plan plan); // the same, with the file already read
    void adopt(Plan plan); // a new plan without a file; kept at once, edited or not
    // What adopt() and edits left of a plan without a file; one that cannot be read is put aside.
    bool openUntitled();
    // `gesture`: edits of one gesture (a drag) undo as one; 0: on its own.
    void edit(const QString& what, Plan next, int gesture = 0);
    [[nodiscard]] int newGesture() { return ++m_gesture; }
    Status save(); // needs a file
    Status saveAs(const QString& path);
    // Another program wrote the file since it was read or saved here.
    [[nodiscard]] bool isFileChangedOutside() const;
    void dropAutosave(); // the unsaved edits are not wanted any more
    Status autosaveNow();
    [[nodiscard]] QString autosaveFile() const { return m_autosave.file(); }

signals:
    void opened(); // another plan than before, not an edit of it; planChanged() follows
    void planChanged();
    void documentChanged(); // file, title, dirty
    void noticed(const QString& sentence); // edits recovered, or not kept

private:
    friend class PlanEdit;
    using Shared = std::shared_ptr<const Plan>; // steps of the undo stack share them
    void show(Shared plan);
    void reset(Plan plan, const QString& file);
    void recover(); // what a crash left beside the base
    [[nodiscard]] Autosave::Content due();

    Shared m_plan = std::make_shared<const Plan>(), m_saved = m_plan;
    QString m_file;
    QByteArray m_fileHash; // of the file as it was read or written here
    bool m_open = false, m_recovered = false;
    bool m_baseDue = false; // a plan without a file, not kept yet
    int m_gesture = 0, m_revision = 0;
    QUndoStack m_undo;
    QTimer m_due; // the edits shown are written when it fires
    Autosave m_autosave;
};

} // namespace stageloom
