// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/remember.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QSettings>
#include <QSlider>
#include <QSplitter>
#include <QTabWidget>

namespace stageloom {

namespace {

// A number kept under this key, where it is one of 0 … count - 1.
int kept(const QString& key, int otherwise, int count)
{
    bool isNumber = false;
    const int number = QSettings().value(key).toInt(&isNumber);
    return isNumber && number >= 0 && number < count ? number : otherwise;
}

auto keeper(const QString& key)
{
    return [key](auto value) { QSettings().setValue(key, value); };
}

} // namespace

void remember(QComboBox& box, const QString& key)
{
    box.setCurrentIndex(kept(key, box.currentIndex(), box.count()));
    QObject::connect(&box, &QComboBox::currentIndexChanged, &box, keeper(key));
}

void remember(QAbstractButton& button, const QString& key)
{
    button.setChecked(QSettings().value(key, button.isChecked()).toBool());
    QObject::connect(&button, &QAbstractButton::toggled, &button, keeper(key));
}

void remember(QSlider& slider, const QString& key)
{
    slider.setValue(kept(key, slider.value(), slider.maximum() + 1));
    QObject::connect(&slider, &QSlider::valueChanged, &slider, keeper(key));
}

void remember(QSplitter& splitter, const QString& key)
{
    splitter.restoreState(QSettings().value(key).toByteArray());
    QObject::connect(&splitter, &QSplitter::splitterMoved, &splitter,
        [&splitter, key] { QSettings().setValue(key, splitter.saveState()); });
}

void remember(QTabWidget& tabs, const QString& key)
{
    tabs.setCurrentIndex(kept(key, tabs.currentIndex(), tabs.count()));
    QObject::connect(&tabs, &QTabWidget::currentChanged, &tabs, keeper(key));
}

} // namespace stageloom
