// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/topology.h"
#include "core/model/model.h"
#include "core/model/profile.h"
#include "core/plan/plan.h"
#include <QString>
#include <variant>

namespace stageloom {

// What a file turned out to hold. Told by its content: names and endings do not count.
struct OpenedFile {
    QString path; // absolute
    QString problem; // a sentence with what helps; empty: `content` is set
    std::variant<std::monostate, Plan, Model, Topology, Profile> content;
};

// Files above this are not read, only their first bytes are looked at.
inline constexpr qint64 kMostFileBytes = 64ll << 20;
inline constexpr qint64 kPrefixBytes = 4096;

// Reads a file or a model's folder that a person dropped or named. Never waits for a pipe, a
// socket or a device. Any thread; slow for large files, so not the window's.
OpenedFile readAnyFile(const QString& path);

// What the first bytes say of a file that is no JSON document, as the end of "NAME …"; empty:
// nothing known.
QString strangeContent(const QByteArray& prefix);

} // namespace stageloom
