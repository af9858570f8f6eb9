// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/plan_document.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QUndoCommand>

namespace stageloom {

namespace {

QByteArray hashOf(const QString& path)
{
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    return file.open(QIODevice::ReadOnly) && hash.addData(&file) ? hash.result() : QByteArray();
}

// A drag changes the stages: those are compared first, they are cheap.
bool isSame(const Plan& a, const Plan& b)
{
    return a.stages == b.stages && toJson(a) == toJson(b);
}

} // namespace

class PlanEdit : public QUndoCommand {
public:
    using Shared = PlanDocument::Shared;
    PlanEdit(PlanDocument& document, const QString& what, Shared before, Shared after, int gesture)
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
        setObsolete(isSame(*m_before, *m_after)); // dragged back to where it began
        return true;
    }

private:
    PlanDocument& m_document;
    Shared m_before, m_after;
    int m_gesture;
};

PlanDocument::PlanDocument(QObject* parent)
    : QObject(parent)
{
    constexpr int kAutosaveDelay = 1000; // ms: the most a crash may cost
    constexpr int kMostSteps = 200; // of undo
    m_undo.setUndoLimit(kMostSteps);
    m_due.setSingleShot(true);
    m_due.setInterval(kAutosaveDelay);
    connect(&m_due, &QTimer::timeout, this, [this] { m_autosave.writeSoon(due()); });
    connect(&m_autosave, &Autosave::failed, this, &PlanDocument::noticed);
    connect(&m_autosave, &Autosave::baseLost, this, [this] { m_baseDue = true; });
    connect(&m_undo, &QUndoStack::cleanChanged, this, &PlanDocument::documentChanged);
}

PlanDocument::~PlanDocument()
{
    m_undo.disconnect(this);
    if (m_due.isActive()) // an edit taken back a moment ago must not come back as recovered
        m_autosave.writeSoon(due());
}

QString PlanDocument::title() const
{
    if (!m_open)
        return tr("No plan open");
    const QString name = QString::fromStdString(m_plan->name);
    return name.isEmpty() ? tr("Untitled plan") : name;
}

QString PlanDocument::suggestedFile() const
{
    if (!m_file.isEmpty())
        return m_file;
    static const QRegularExpression strange(
        QStringLiteral("[^\\w.-]+"), QRegularExpression::UseUnicodePropertiesOption);
    constexpr int kMost = 80; // characters
    const QString name = title().replace(strange, QStringLiteral("-")).left(kMost);
    return QDir::home().filePath(name + QStringLiteral(".plan.json"));
}

void PlanDocument::show(Shared plan)
{
    m_plan = std::move(plan);
    ++m_revision;
    if (!m_due.isActive())
        m_due.start(); // not restarted: a long drag is saved every second too
    emit planChanged();
}

void PlanDocument::reset(Plan plan, const QString& file)
{
    m_due.stop();
    m_undo.clear();
    m_saved = m_plan = std::make_shared<const Plan>(std::move(plan));
    ++m_revision;
    m_file = file;
    m_fileHash = file.isEmpty() ? QByteArray() : hashOf(file);
    m_open = true;
    m_recovered = false;
    m_autosave.claim(file);
    emit opened();
    emit documentChanged();
    emit planChanged();
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
    dropAutosave();
    reset(std::move(plan), QFileInfo(path).absoluteFilePath());
    recover();
}

void PlanDocument::recover()
{
    const QFileInfo left(autosaveFile());
    if (!left.exists())
        return;
    Result<Plan> edited = readPlan(left.filePath().toStdString());
    if (!edited || toJson(*edited) == toJson(*m_plan))
        return;
    const bool older = left.lastModified() < QFileInfo(m_autosave.base()).lastModified();
    edit(tr("edits from before the crash"), std::move(*edited));
    m_recovered = true;
    emit documentChanged();
    emit noticed(older ? tr("Edits from before a crash are back, and the file was changed after "
                            "them: Undo shows it as it is on disk, Save writes over it.")
                       : tr("Edits from before a crash are back: save them, or undo them."));
}

void PlanDocument::adopt(Plan plan)
{
    dropAutosave();
    reset(std::move(plan), QString());
    m_baseDue = true;
    m_due.start();
}

bool PlanDocument::openUntitled()
{
    m_autosave.claim(QString());
    if (!QFileInfo::exists(m_autosave.base()))
        return false;
    Result<Plan> plan = readPlan(m_autosave.base().toStdString());
    if (!plan) {
        const QString aside = m_autosave.base() + QStringLiteral(".unreadable");
        QFile::remove(aside);
        QFile::rename(m_autosave.base(), aside); // the next plan without a file takes its place
        emit noticed(tr("The plan that was open last cannot be read: %1. It is kept as %2.")
                         .arg(QString::fromStdString(plan.error().message), aside));
        return false;
    }
    reset(std::move(*plan), QString());
    recover();
    return true;
}

void PlanDocument::edit(const QString& what, Plan next, int gesture)
{
    if (!m_open || isSame(next, *m_plan))
        return;
    m_undo.push(
        new PlanEdit(*this, what, m_plan, std::make_shared<const Plan>(std::move(next)), gesture));
}

Status PlanDocument::save()
{
    return saveAs(m_file);
}

Status PlanDocument::saveAs(const QString& path)
{
    if (path.isEmpty())
        return fail(ErrorKind::Invalid, "the plan has no file yet: choose one with Save As");
    if (const Status written = writePlan(*m_plan, path.toStdString()); !written)
        return written;
    dropAutosave();
    if (m_file.isEmpty())
        QFile::remove(m_autosave.base()); // it has a file of its own from now on
    m_file = QFileInfo(path).absoluteFilePath();
    m_fileHash = hashOf(m_file);
    m_autosave.claim(m_file);
    m_saved = m_plan;
    m_recovered = m_baseDue = false;
    m_undo.setClean();
    emit documentChanged();
    emit planChanged(); // what it is compared with is another
    return {};
}

bool PlanDocument::isFileChangedOutside() const
{
    return !m_file.isEmpty() && QFileInfo::exists(m_file) && hashOf(m_file) != m_fileHash;
}

void PlanDocument::dropAutosave()
{
    m_due.stop();
    if (m_open)
        m_autosave.remove();
}

Autosave::Content PlanDocument::due()
{
    Autosave::Content content;
    if (std::exchange(m_baseDue, false))
        content.base = *m_saved;
    if (isDirty())
        content.edited = *m_plan;
    return content;
}

Status PlanDocument::autosaveNow()
{
    m_due.stop();
    return m_autosave.writeNow(due());
}

} // namespace stageloom
