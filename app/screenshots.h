// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QStringList>
#include <filesystem>
#include <optional>
#include <vector>

class QApplication;

namespace stageloom {

// What --screenshots asks for.
struct ScreenshotWish {
    QString folder;
    std::vector<QSize> sizes; // each page is taken in each; empty: the usual one
    QStringList
        plans; // pictures of these files' model, machine and plan; empty: of a sample and a run
};
// FOLDER [WIDTHxHEIGHT…] [PLAN…]; none where there is no folder.
std::optional<ScreenshotWish> screenshotWish(const QStringList& words);

// Pictures of every page, light and dark. Settings and unsaved plans of the person whose machine it
// is are neither read nor written; the runs are those of `store`. 0, or 1 where one failed.
int takeScreenshots(
    QApplication& application, const ScreenshotWish& wish, const std::filesystem::path& store);

} // namespace stageloom
