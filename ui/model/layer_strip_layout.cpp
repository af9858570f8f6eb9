// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/layer_strip_layout.h"

#include <algorithm>
#include <numeric>

namespace stageloom {

std::vector<QRectF> stackedBlocks(
    const std::vector<double>& values, const QRectF& area, double least, double gap)
{
    std::vector<QRectF> blocks;
    const auto count = static_cast<double>(values.size());
    if (values.empty() || area.height() <= 0)
        return blocks;
    gap = std::clamp((area.height() - count * least) / std::max(1.0, count - 1), 0.0, gap);
    least = std::min(least, area.height() / count);
    const double total = std::accumulate(values.begin(), values.end(), 0.0);
    const double room = area.height() - gap * (count - 1) - least * count;
    double top = area.top();
    for (const double value : values) {
        const double share = total > 0 ? value / total : 1 / count;
        const double high = least + std::max(0.0, room) * share;
        blocks.emplace_back(area.left(), top, area.width(), high);
        top += high + gap;
    }
    return blocks;
}

int blockAt(const std::vector<QRectF>& blocks, double y)
{
    if (blocks.empty())
        return -1;
    const auto after = std::upper_bound(blocks.begin(), blocks.end(), y,
        [](double at, const QRectF& block) { return at < block.top(); });
    if (after == blocks.begin())
        return 0;
    const auto at = after - 1;
    // Between two blocks: the nearer one.
    if (after != blocks.end() && y > at->bottom() && after->top() - y < y - at->bottom())
        return static_cast<int>(after - blocks.begin());
    return static_cast<int>(at - blocks.begin());
}

} // namespace stageloom
