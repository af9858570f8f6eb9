// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAbstractItemView;

namespace stageloom {

// The selected rows of a table as it shows them, a line of titles first, tabs between cells: what a
// spreadsheet takes. Hidden columns and titles of sections stay out. Empty without a selection.
QString selectedRowsText(const QAbstractItemView& view);
void copyRows(const QAbstractItemView& view); // to the clipboard, where anything is selected
void letCopyRows(QAbstractItemView& view); // Ctrl+C does so

} // namespace stageloom
