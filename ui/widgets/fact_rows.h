// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QGridLayout;

namespace stageloom {

// Names on the left, values on the right, one under the other.
class FactRows : public QWidget {
    Q_OBJECT
public:
    explicit FactRows(QWidget* parent = nullptr);
    void setFacts(const QList<std::pair<QString, QString>>& facts); // replaces all

private:
    QGridLayout* m_grid;
};

} // namespace stageloom
