// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace stageloom {

// Asks where to write a file of this kind, and before an existing one is overwritten. Its name ends
// with `suffix` (".plan.json"), which is added before that question, so that what is asked about is
// what is written. Empty: nowhere.
QString askForFile(QWidget* parent, const QString& title, const QString& suggested,
    const QString& kind, const QString& suffix);

} // namespace stageloom
