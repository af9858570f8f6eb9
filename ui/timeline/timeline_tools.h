// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QShortcut;
class QToolButton;

namespace stageloom {

class TimelineView;

// What one can do with a timeline, to be seen: find, zoom, fit, export, the keys. Belongs in the
// head of the panel that holds the view.
class TimelineTools : public QWidget {
    Q_OBJECT
public:
    explicit TimelineTools(TimelineView* view, QWidget* parent = nullptr);
    // Opens the search field; with `text` as if it had been typed, else with what was sought last.
    void openSearch(const QString& text = {});
    void closeSearch();
    // Where a page has other things to find too, it asks openSearch() itself.
    void leaveFindToThePage();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    TimelineView* m_view;
    QLineEdit* m_search;
    QLabel* m_hits;
    QToolButton* m_find;
    QShortcut* m_findKey;
    QToolButton* addButton(const QString& text, const QString& name, const QString& tip);
    void showHits();
    void exportAsked();
    void showKeys();
};

} // namespace stageloom
