// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/plan_document.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QUndoCommand>

namespace stageloom {

class PlanEdit : public QUndoCommand {
public:
    PlanEdit(PlanDocument& document, const QString& what, Plan before, Plan after, int gesture)
        : QUndoCommand(what)
        , m_document(document)
        , m_before(std::move(before))
        , m_after(std::move(after))
        , m_gesture(gesture)
    {
    }
    void undo() override { m_document.show(m_before); }
    void redo() override { m_document.show(m_after); }
    int id() const override { return m_gesture == 0 ? -1 : m_gesture; }
    bool mergeWith(const QUndoCommand* newer) override
    {
        m_after = static_cast<const PlanEdit*>(newer)->m_after; // same id: same class
        return true;
    }

private:
    PlanDocument& m_document;
    Plan m_before, m_after;
    int m_gesture;
};

PlanDocument::PlanDocument(QObject* parent)
    : QObject(parent)
{
    constexpr int kAutosaveDelay = 1000; // ms: the most a crash may cost
    m_autosave.setSingleShot(true);
    m_autosave.setInterval(kAutosaveDelay);
    connect(&m_autosave, &QTimer::timeout, this, [this] { (void)autosaveNow(); });
    connect(&m_undo, &QUndoStack::cleanChanged, this, &PlanDocument::documentChanged);
}

PlanDocument::~PlanDocument()
{
    m_undo.disconnect(this);
}

QString PlanDocument::title() const
{
    if (!m_open)
        return tr("No plan open");
    const QString name = QString::fromStdString(m_plan.name);
    return name.isEmpty() ? tr("Untitled plan") : name;
}

void PlanDocument::show(const Plan& plan)
{
    m_plan = plan;
    if (!m_autosave.isActive())
        m_autosave.start(); // not restarted: a long drag is saved every second too
    emit planChanged();
}

void PlanDocument::reset(Plan plan, Plan saved, const QString& file, bool recovered)
{
    m_autosave.stop();
    m_undo.clear();
    m_plan = std::move(plan);
    m_saved = std::move(saved);
    m_file = file;
    m_open = true;
    m_recovered = recovered;
    emit documentChanged();
    emit planChanged();
}

QString PlanDocument::autosaveFile() const
{
    if (!m_file.isEmpty()) {
        const QFileInfo info(m_file);
        return info.dir().filePath(QStringLiteral(".%1.autosave").arg(info.fileName()));
    }
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    return QDir(folder).filePath(QStringLiteral("untitled.plan.json.autosave"));
}

Status PlanDocument::open(const QString& path)
{
    Result<Plan> plan = readPlan(QFileInfo(path).absoluteFilePath().toStdString());
    if (!plan)
        return failure(plan);
    openRead(path, std::move(*plan));
    return {};
}

void PlanDocument::openRead(const QString& path, Plan plan)
{
    const QString file = QFileInfo(path).absoluteFilePath();
    dropAutosave();
    const QString before = std::exchange(m_file, file);
    const QFileInfo autosave(autosaveFile());
    m_file = before;
    if (autosave.exists() && autosave.lastModified() >= QFileInfo(file).lastModified()) {
        if (Result<Plan> edited = readPlan(autosave.filePath().toStdString())) {
            reset(std::move(*edited), std::move(plan), file, true);
            return;
        }
    }
    Plan saved = plan;
    reset(std::move(plan), std::move(saved), file, false);
}

void PlanDocument::adopt(Plan plan)
{
    Plan saved = plan;
    reset(std::move(plan), std::move(saved), QString(), false);
    m_autosave.start();
}

bool PlanDocument::openUntitled()
{
    const QString before = std::exchange(m_file, QString());
    const QString autosave = autosaveFile();
    Result<Plan> plan = QFileInfo::exists(autosave)
        ? readPlan(autosave.toStdString())
        : Result<Plan>(fail(ErrorKind::Io, "no plan without a file was left"));
    m_file = before;
    if (!plan)
        return false;
    Plan saved = *plan;
    reset(std::move(*plan), std::move(saved), QString(), false);
    return true;
}

void PlanDocument::edit(const QString& what, Plan next, int gesture)
{
    // A drag changes the stages: those are compared first, they are cheap.
    if (!m_open || (next.stages == m_plan.stages && toJson(next) == toJson(m_plan)))
        return;
    m_undo.push(new PlanEdit(*this, what, m_plan, std::move(next), gesture));
}

Status PlanDocument::save()
{
    return saveAs(m_file);
}

Status PlanDocument::saveAs(const QString& path)
{
    if (path.isEmpty())
        return fail(ErrorKind::Invalid, "the plan has no file yet: choose one with Save As");
    if (const Status written = writePlan(m_plan, path.toStdString()); !written)
        return written;
    dropAutosave();
    m_file = QFileInfo(path).absoluteFilePath();
    m_saved = m_plan;
    m_recovered = false;
    m_undo.setClean();
    emit documentChanged();
    emit planChanged(); // what it is compared with is another
    return {};
}

void PlanDocument::dropAutosave()
{
    m_autosave.stop();
    if (m_open)
        QFile::remove(autosaveFile());
}

Status PlanDocument::autosaveNow()
{
    m_autosave.stop();
    const QString target = autosaveFile();
    if (!isDirty() && !m_file.isEmpty()) {
        QFile::remove(target); // undone back to what the file says
        return {};
    }
    QDir().mkpath(QFileInfo(target).path());
    return writePlan(m_plan, target.toStdString());
}

} // namespace stageloom
