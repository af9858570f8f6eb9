// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/ids.h"
#include <QObject>
#include <filesystem>
#include <vector>

namespace stageloom {

// The run that others are compared with, where a person pinned one. Kept in the settings, for each
// store by itself.
class RunBaseline : public QObject {
    Q_OBJECT
public:
    explicit RunBaseline(const std::filesystem::path& store, QObject* parent = nullptr);
    [[nodiscard]] RunId pinned() const { return m_pinned; } // invalid: none
    void toggle(RunId run); // pins it, or unpins it where it is pinned
    void drop(); // the run is gone
    // What is compared when these are chosen, the base first: the pinned run, also where it is not
    // chosen, else the oldest of them. The others keep their order.
    [[nodiscard]] std::vector<RunId> compared(std::vector<RunId> chosen) const;
    // The chosen runs, and behind them the pinned one.
    [[nodiscard]] std::vector<RunId> shown(std::vector<RunId> chosen) const;

signals:
    void changed();

private:
    void pin(RunId run);
    QString m_key;
    RunId m_pinned;
};

} // namespace stageloom
