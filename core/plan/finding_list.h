// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"
#include <iterator>

namespace stageloom {

// Collects findings of a plan, each a formatted sentence at its place in the document.
class FindingList {
public:
    template <typename... Args>
    void add(PlanFinding::Severity severity, std::string path, fmt::format_string<Args...> text,
        Args&&... args)
    {
        m_all.push_back(
            { severity, std::move(path), fmt::format(text, std::forward<Args>(args)...) });
    }
    template <typename... Args>
    void refuse(std::string path, fmt::format_string<Args...> text, Args&&... args)
    {
        add(PlanFinding::Severity::Error, std::move(path), text, std::forward<Args>(args)...);
    }
    void append(std::vector<PlanFinding> more)
    {
        m_all.insert(m_all.end(), std::make_move_iterator(more.begin()),
            std::make_move_iterator(more.end()));
    }
    std::vector<PlanFinding> take() { return std::move(m_all); }

private:
    std::vector<PlanFinding> m_all;
};

} // namespace stageloom
