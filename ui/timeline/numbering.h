// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace stageloom {

// Batches and microbatches are kept from 0 and shown from 1, in captions, on boxes and cards, in
// tables and in the search. Stages, devices and versions are shown as they are kept.
[[nodiscard]] inline int shownNumber(int index)
{
    return index + 1;
}
[[nodiscard]] inline int indexOfShown(int number)
{
    return number - 1;
}

} // namespace stageloom
