// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QWidget;

namespace stageloom {

// Asks with verbs instead of Yes and No. Returns the index of the answer in `answers`; -1: Cancel
// or Escape. The first answer is what Enter takes.
int ask(QWidget* parent, const QString& title, const QString& question, const QStringList& answers);

} // namespace stageloom
