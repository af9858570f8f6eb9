// SPDX-License-Identifier: Apache-2.0
#include "engine/profile/hop_probe.h"

#include "engine/transport/in_process.h"
#include <algorithm>
#include <thread>

namespace stageloom::engine {

double handOverSeconds(bool spin)
{
    constexpr std::int64_t kRounds = 400, kSkipped = 50;
    RunSignals signals(std::chrono::seconds(10), spin);
    Mailbox there(0, 1, 1, "the probe"), back(1, 0, 1, "the probe");
    std::thread peer([&] {
        for (std::int64_t i = 0; i < kRounds; ++i) {
            auto tensor = there.take(i, signals);
            if (!tensor)
                return;
            back.put(i, std::move(*tensor));
        }
    });
    std::vector<double> times;
    at::Tensor tensor = at::zeros({ 1 });
    for (std::int64_t i = 0; i < kRounds; ++i) {
        const auto start = std::chrono::steady_clock::now();
        there.put(i, std::move(tensor));
        auto answer = back.take(i, signals);
        if (!answer)
            break;
        tensor = std::move(*answer);
        if (i >= kSkipped)
            times.push_back(
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()
                / 2);
    }
    peer.join();
    if (times.empty())
        return 0;
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

} // namespace stageloom::engine
