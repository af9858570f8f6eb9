// SPDX-License-Identifier: Apache-2.0
#include "core/base/json_fields.h"
#include "core/base/text.h"

#include <gmock/gmock.h>

namespace stageloom {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string refusalOf(const JsonFields& fields)
{
    return fields.status() ? "" : fields.status().error().message;
}

} // namespace

TEST(JsonFields, absentAndNullLeaveTheTargetAlone)
{
    const Json document { { "null", nullptr } };
    JsonFields fields(document, "a.json");
    std::string text = "kept";
    double number = 1.5;
    std::optional<double> perhaps;
    std::int64_t whole = 7;
    bool flag = true;
    for (const char* key : { "null", "absent" }) {
        fields.text(key, text);
        fields.number(key, number, NumberRange::AboveZero);
        fields.number(key, perhaps);
        fields.integer(key, whole, { 100, 200 });
        fields.flag(key, flag);
    }
    EXPECT_TRUE(fields.status());
    EXPECT_EQ(text, "kept");
    EXPECT_EQ(number, 1.5);
    EXPECT_EQ(perhaps, std::nullopt);
    EXPECT_EQ(whole, 7);
    EXPECT_TRUE(flag);
}

TEST(JsonFields, theFirstFaultIsNamedWithItsPlaceItsValueAndWhatHelps)
{
    const Json document { { "a", { { "b", "three" }, { "c", -1 } } } };
    JsonFields fields(document, "a.json");
    std::optional<JsonFields> inner = fields.object("a");
    ASSERT_TRUE(inner);
    int value = 0;
    inner->integer("b", value, { 1, 9 });
    inner->integer("c", value, { 1, 9 });
    fields.keep(*inner);
    EXPECT_EQ(refusalOf(fields), "a.json: /a/b is \"three\": write a whole number from 1 to 9");
    JsonFields again(document, "a.json");
    std::string text;
    again.text("gone", text, Need::Required);
    EXPECT_EQ(refusalOf(again), "a.json: /gone is missing: nothing here can do without it");
}

TEST(JsonFields, wholeNumbersOfEveryFormAreHeldToTheirRange)
{
    const auto read = [](const Json& value) {
        const Json document { { "k", value } };
        JsonFields fields(document, "f");
        std::int64_t target = -77;
        fields.integer("k", target, { 0, 1'000'000'000'000 });
        return fields.status() ? target : -1;
    };
    EXPECT_EQ(read(5), 5);
    EXPECT_EQ(read(4.0), 4);
    EXPECT_EQ(read(1e3), 1000);
    for (const Json& wrong : { Json(-1), Json(1.5), Json("5"), Json(true), Json(1e300),
             Json(18446744073709551615ull), Json(2'000'000'000'000), Json::array({ 1 }) })
        EXPECT_EQ(read(wrong), -1) << wrong;
    const Json document { { "seed", 18446744073709551615ull }, { "wide", 3'000'000'000 } };
    JsonFields fields(document, "f");
    std::uint64_t seed = 0;
    int narrow = 1;
    fields.integer("seed", seed);
    EXPECT_EQ(seed, 18446744073709551615ull);
    fields.integer("wide", narrow);
    EXPECT_THAT(refusalOf(fields), HasSubstr("too large"));
    EXPECT_EQ(narrow, 1);
}

TEST(JsonFields, numbersAreFiniteAndInTheirRange)
{
    const Json document { { "zero", 0 }, { "below", -0.5 }, { "word", "x" } };
    const auto refuses = [&](const char* key, NumberRange range) {
        JsonFields fields(document, "f");
        double value = 0;
        fields.number(key, value, range);
        return !fields.status();
    };
    EXPECT_FALSE(refuses("zero", NumberRange::AtLeastZero));
    EXPECT_TRUE(refuses("zero", NumberRange::AboveZero));
    EXPECT_FALSE(refuses("below", NumberRange::Any));
    EXPECT_TRUE(refuses("below", NumberRange::AtLeastZero));
    EXPECT_TRUE(refuses("word", NumberRange::Any));
}

TEST(JsonFields, ofSeveralSpellingsTheFirstThatIsThereCounts)
{
    const Json document { { "n_embd", nullptr }, { "hidden_size", 8 } };
    const JsonFields fields(document, "f");
    EXPECT_EQ(fields.spelling({ "n_embd", "hidden_size" }), "hidden_size");
    EXPECT_EQ(fields.spelling({ "n_head", "heads" }), "n_head");
}

TEST(JsonFields, unknownKeysAreNotedButNotAllOfVeryMany)
{
    Json document { { "known", 1 }, { "first\x1b[31m", 1 } };
    JsonFields fields(document, "f", "/at");
    std::vector<std::string> notes;
    std::int64_t known = 0;
    fields.integer("known", known);
    fields.noteUnknown(notes);
    EXPECT_THAT(notes, ElementsAre("/at/first\\x1b[31m"));
    for (int i = 0; i < 100; ++i)
        document["k" + std::to_string(i)] = i;
    notes.clear();
    fields.noteUnknown(notes);
    ASSERT_EQ(notes.size(), 21u);
    EXPECT_THAT(notes.back(), HasSubstr("81 more"));
}

TEST(Json, aVeryWideObjectIsReadInTimeThatGrowsWithItAndOfTwoEqualKeysTheLastCounts)
{
    std::string text = "{\"twice\":1,\"z\":[{}],\"twice\":{\"a\":2}";
    for (int i = 0; i < 300'000; ++i) // with a search through all earlier keys this takes minutes
        text += ",\"k" + std::to_string(i) + "\":" + std::to_string(i);
    const Result<Json> read = parseJson(text + "}", "wide.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->size(), 300'002u);
    EXPECT_EQ(jsonLine(read->front()), "{\"a\":2}") << "at the place of the first";
    EXPECT_EQ(read->at("k299999"), 299'999);
}

TEST(Json, isReadAsTheLibraryReadsIt)
{
    for (const char* text :
        { "null", "-3", "18446744073709551615", "1.5e3", "\"\\u00e9\\n\"", "[]", "{}",
            R"([1,[2,{"a":[true,false,null]}],{"b":{"c":{}}}])", R"({"x":{"y":[{"z":1}]},"w":0})" })
        EXPECT_EQ(parseJson(text, "f").value(), Json::parse(text)) << text;
    EXPECT_THAT(parseJson("[1e999]", "f").error().message, HasSubstr("not usable"));
    EXPECT_THAT(parseJson("[1,]", "f").error().message, HasSubstr("line 1, column 4"));
    EXPECT_THAT(parseJson("{} x", "f").error().message, HasSubstr("not valid"));
}

TEST(Json, textOfAnyBytesIsWritten)
{
    const Json value { { "name", "caf\xe9" } };
    EXPECT_EQ(jsonLine(value), "{\"name\":\"caf\xef\xbf\xbd\"}");
    EXPECT_THAT(dumpJson(value), HasSubstr("caf\xef\xbf\xbd"));
    EXPECT_EQ(shown(Json(std::string(1000, 'x'))).size(), 60u);
    EXPECT_EQ(shown(Json(std::vector<int>(1000, 7))), "a list of 1000 values");
}

TEST(Text, controlCharactersAndStrayBytesAreShownAsTheirNumbers)
{
    EXPECT_EQ(printable("a\x1b[31mred\x7f"), "a\\x1b[31mred\\x7f");
    EXPECT_EQ(printable("tab\tand\nline"), "tab\tand\nline");
    EXPECT_EQ(printable("caf\xe9"), "caf\\xe9");
    EXPECT_EQ(printable("caf\xc3\xa9 \xe2\x9c\x93 \xf0\x9f\x9a\x82"), "café ✓ 🚂");
    EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b") << "C1: a terminal takes it for ESC [";
    EXPECT_EQ(printable("\xc0\xaf\xed\xa0\x80"), "\\xc0\\xaf\\xed\\xa0\\x80");
    EXPECT_EQ(shortened("two\nlines", 20), "two lines");
    EXPECT_EQ(shortened("éééééééé", 6), "ééé...");
    EXPECT_EQ(shortened("éééééé", 6), "éééééé");
    EXPECT_THAT(
        fail(ErrorKind::Invalid, "no {}", "\x1b[0m").value().message, Not(HasSubstr("\x1b")));
}

} // namespace stageloom
