// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inputs/inputs_fixture.h"
#include "ui/widgets/layer_words.h"

namespace stageloom {

TEST(LayerWords, nameWhatAStageHolds)
{
    const Model model = smallModel(); // embedding, blocks 0 to 2, norm, head
    ASSERT_EQ(model.layers.size(), 6U);
    const auto words
        = [&](int first, int last) { return layerWords(&model, first, last).toStdString(); };
    EXPECT_EQ(words(0, 0), "embedding");
    EXPECT_EQ(words(0, 2), "embedding + blocks 0–1");
    EXPECT_EQ(words(1, 1), "block 0");
    EXPECT_EQ(words(2, 3), "blocks 1–2");
    EXPECT_EQ(words(3, 5), "block 2 + head");
    EXPECT_EQ(words(4, 4), "norm");
    EXPECT_EQ(words(0, 5), "embedding + blocks 0–2 + head");
}

TEST(LayerWords, countLayersWhereTheModelIsNotKnown)
{
    const Model model = smallModel();
    EXPECT_EQ(layerWords(nullptr, 2, 4).toStdString(), "layers 2–4");
    EXPECT_EQ(layerWords(nullptr, 2, 2).toStdString(), "layer 2");
    EXPECT_EQ(layerWords(&model, 4, 9).toStdString(), "layers 4–9"); // of another model
}

} // namespace stageloom
