// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/autosave.h"

#include <QDir>
#include <QFileInfo>
#include <QFuture>
#include <QStandardPaths>
#include <QtConcurrentRun>

namespace stageloom {

namespace {

constexpr int kMostSlots = 9; // windows with one plan; the tenth shares the last place

// The second window's place has a number before the ending.
QString numbered(int slot)
{
    return slot > 1 ? QStringLiteral("-%1").arg(slot) : QString();
}

QString untitledBase(int slot)
{
    const QDir data(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation));
    return data.filePath(QStringLiteral("stageloom/untitled%1.plan.json").arg(numbered(slot)));
}

QString editsBeside(const QString& base, int slot)
{
    const QFileInfo info(base);
    return info.dir().filePath(
        QStringLiteral(".%1%2.autosave").arg(info.fileName(), numbered(slot)));
}

Status writeContent(const QString& base, const QString& edits, const Autosave::Content& content)
{
    if (content.base) {
        QDir().mkpath(QFileInfo(base).path());
        if (const Status written = writePlan(*content.base, base.toStdString()); !written)
            return written;
    }
    if (content.edited)
        return writePlan(*content.edited, edits.toStdString());
    QFile::remove(edits);
    return {};
}

} // namespace

Autosave::Autosave(QObject* parent)
    : QObject(parent)
{
    m_writer.setMaxThreadCount(1); // in order
}

Autosave::~Autosave()
{
    m_writer.waitForDone();
}

void Autosave::claim(const QString& planFile)
{
    m_writer.waitForDone();
    const bool untitled = planFile.isEmpty();
    if (m_lock && (untitled ? m_base == untitledBase(m_slot) : m_base == planFile))
        return;
    m_lock.reset();
    for (m_slot = 1; m_slot <= kMostSlots; ++m_slot) {
        m_base = untitled ? untitledBase(m_slot) : planFile;
        if (untitled)
            QDir().mkpath(QFileInfo(m_base).path());
        auto lock = std::make_unique<QLockFile>(file() + QStringLiteral(".lock"));
        lock->setStaleLockTime(0); // only a process that is gone gives it up
        if (lock->tryLock(0)) {
            m_lock = std::move(lock);
            return;
        }
        if (lock->error() != QLockFile::LockFailedError)
            return; // a folder that cannot be written: the first write says so
    }
    m_slot = kMostSlots;
}

QString Autosave::file() const
{
    const bool own = m_base == untitledBase(m_slot); // numbered itself
    return editsBeside(m_base, own ? 1 : m_slot);
}

void Autosave::writeSoon(Content content)
{
    const bool wroteBase = content.base.has_value();
    QtConcurrent::run(&m_writer, [base = m_base, edits = file(), content = std::move(content)] {
        return writeContent(base, edits, content);
    }).then(this, [this, wroteBase](const Status& status) { report(status, wroteBase); });
}

Status Autosave::writeNow(const Content& content)
{
    m_writer.waitForDone();
    const Status status = writeContent(m_base, file(), content);
    report(status, content.base.has_value());
    return status;
}

void Autosave::remove()
{
    m_writer.waitForDone();
    QFile::remove(file());
}

void Autosave::report(const Status& status, bool wroteBase)
{
    if (!status && wroteBase)
        emit baseLost();
    if (!status && !m_failing)
        emit failed(tr("The edits are not kept against a crash: %1. Save the plan in another "
                       "folder with File > Save as.")
                        .arg(QString::fromStdString(status.error().message)));
    m_failing = !status;
}

} // namespace stageloom
