// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/run_fields.h"

namespace stageloom {

// What a person typed into the filter. A run matches where every part does:
//   word, "two words"      somewhere in the row
//   state:finished tag:x   in that field; stages:4 equals
//   loss<3 rate>=5k        a number of the row; a run without it does not match
//   -word, -state:failed   the opposite
// A comparison whose number is not typed yet is left out, so that the table does not blink.
class RunQuery {
public:
    static RunQuery parse(const QString& text);
    [[nodiscard]] bool isEmpty() const { return m_terms.empty(); }
    [[nodiscard]] bool matches(const RunEntry& entry) const;

    enum class Relation { Contains, Less, LessOrEqual, Greater, GreaterOrEqual, Equal };
    struct Term {
        std::optional<RunField> field; // none: any
        Relation relation = Relation::Contains;
        QString text; // lower case
        double value = 0;
        bool negated = false;
    };
    [[nodiscard]] const std::vector<Term>& terms() const { return m_terms; }

private:
    std::vector<Term> m_terms;
};

} // namespace stageloom
