// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace stageloom::recent {

namespace {

constexpr auto kRecentKey = "recentFiles";
constexpr auto kLastKey = "lastPlan";
constexpr int kRecentCount = 10;

} // namespace

QStringList files()
{
    return QSettings().value(QLatin1String(kRecentKey)).toStringList();
}

void remember(const QString& path)
{
    const QString whole = QFileInfo(path).absoluteFilePath(); // the next start may be elsewhere
    QStringList all = files();
    all.removeAll(whole);
    all.prepend(whole);
    QSettings().setValue(QLatin1String(kRecentKey), all.mid(0, kRecentCount));
}

void forget()
{
    QSettings().remove(QLatin1String(kRecentKey));
}

QString lastPlan()
{
    return QSettings().value(QLatin1String(kLastKey)).toString();
}

void rememberLastPlan(const QString& path)
{
    QSettings().setValue(QLatin1String(kLastKey), path);
}

} // namespace stageloom::recent
