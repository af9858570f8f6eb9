// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include <QString>

namespace stageloom {

// The layers first…last as a person names them: "embedding + blocks 0–6", "blocks 7–13 + head".
// The norm before a head goes without saying. Layer numbers where the model is not known.
[[nodiscard]] QString layerWords(const Model* model, int first, int last);

} // namespace stageloom
