// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/text_format.h"
#include "core/schedule/verify.h"

// The parts of the proof; verify.h is the door.
namespace stageloom::verify {

// Keeps the first findings and counts the others: a list of millions of wrong actions is no reason
// to write millions of sentences.
class Findings {
public:
    Findings(ScheduleProof& proof, int most)
        : m_proof(proof)
        , m_most(std::size_t(most > 0 ? most : 0))
    {
    }

    template <typename Message>
    void add(const char* rule, Message message, int worker = -1, std::size_t position = kNowhere)
    {
        if (m_proof.findings.size() < m_most)
            m_proof.findings.push_back(
                { rule, message(), worker, position == kNowhere ? -1 : int(position) });
        else
            ++m_proof.furtherFindings;
    }
    [[nodiscard]] bool none() const
    {
        return m_proof.findings.empty() && m_proof.furtherFindings == 0;
    }

private:
    static constexpr std::size_t kNowhere = std::size_t(-1);
    ScheduleProof& m_proof;
    std::size_t m_most;
};

// Rules "once", "deadlock", "transfer" (verify_order.cpp): every microbatch forward and backward
// once on each stage, and the lists of all workers run to their ends whatever the timing.
void proveOrder(const Schedule& schedule, int slots, Findings& findings);
// Rules "stash", "version", "two-versions", "update" (verify_stages.cpp): each stage's list alone,
// since a stage makes and drops its own versions.
void proveStages(const Schedule& schedule, const ListDemand& demand, const VerifyOptions& options,
    Findings& findings);

} // namespace stageloom::verify
