// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

namespace stageloom {

// A machine of core's presets, as a menu shows it. Some come in any number of devices or nodes.
struct KnownMachine {
    QString name; // what readTopology() takes, without the number
    QString title;
    QString counted; // what the number counts; empty: there is none
    int usual = 0, most = 0;
    [[nodiscard]] QString source(int count) const;
};

const std::vector<KnownMachine>& knownMachines(); // this machine, then every preset
// The machine and number behind "rtx4090:4" (without one: the usual); null: none of them.
const KnownMachine* knownMachine(const QString& source, int& count);

} // namespace stageloom
