// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"
#include <QApplication>
#include <gtest/gtest.h>

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    testing::InitGoogleTest(&argc, argv);
    QApplication application(argc, argv);
    stageloom::applyTheme(application, stageloom::ThemeMode::Light);
    return RUN_ALL_TESTS();
}
