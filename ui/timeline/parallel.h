// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtConcurrentMap>
#include <cstddef>

namespace stageloom {

// `work` on each item; on all processors where `size` (spans) makes that worth while. Items must
// not touch each other.
template <typename Items, typename Work>
void forEachOf(Items& items, std::size_t size, const Work& work)
{
    constexpr std::size_t kWorthWhile = 100'000;
    if (size >= kWorthWhile)
        return QtConcurrent::blockingMap(items, work);
    for (auto& item : items)
        work(item);
}

} // namespace stageloom
