// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/english_plurals.h"
#include "ui/theme/theme.h"
#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <gtest/gtest.h>

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    testing::InitGoogleTest(&argc, argv);
    QApplication application(argc, argv);
    // Settings and data of the person who runs the tests stay as they are.
    const QTemporaryDir home;
    qputenv("XDG_DATA_HOME", home.path().toUtf8());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, home.path());
    QApplication::setApplicationName(QStringLiteral("stageloom-test"));
    stageloom::EnglishPlurals plurals;
    QApplication::installTranslator(&plurals);
    stageloom::applyTheme(application, stageloom::ThemeMode::Light);
    return RUN_ALL_TESTS();
}
