// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>

class QApplication;

namespace stageloom {

// Pictures of every page in light and dark into a folder, with a sample plan and, where the engine
// is beside this program, a run that goes on (packaging/screenshots). The exit code.
int takeScreenshots(QApplication& application, const QString& folder, const QSize& size);

} // namespace stageloom
