// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

// What was opened before, kept in the settings.
namespace stageloom::recent {

QStringList files(); // the newest first; absolute
void remember(const QString& path);
void forget();

QString lastPlan(); // the file of the plan that was open last; empty: one without a file
void rememberLastPlan(const QString& path);

} // namespace stageloom::recent
