// SPDX-License-Identifier: Apache-2.0
// What recording one action costs the thread that does it: a look at the clock on either side and
// the span itself, batch after batch as the executor takes them.
#include "engine/exec/span_recorder.h"
#include "tests/bench/bench_support.h"

using namespace stageloom;

int main()
{
    bench::keepMemory();
    constexpr int kBatches = 2000, kActions = 128;
    std::size_t kept = 0;
    const double seconds = bench::bestSeconds(5, [&] {
        engine::SpanRecorder recorder(engine::SpanRecorder::Clock::now(), 0, 4, kActions, true);
        Action action;
        for (int batch = 0; batch < kBatches; ++batch) {
            for (int i = 0; i < kActions; ++i) {
                action.microbatch = batch * kActions + i;
                const double start = recorder.now();
                recorder.record(action, batch, start, recorder.now());
            }
            kept += recorder.take(batch).size();
        }
    });
    STAGELOOM_CHECK(kept == std::size_t(5) * kBatches * kActions, "a span was lost");
    // Three quarters of it are the two looks at the clock, and those are the machine's.
    const engine::SpanRecorder clock(engine::SpanRecorder::Clock::now(), 0, 1, 1, true);
    double sum = 0;
    const double looks = bench::bestSeconds(5, [&] {
        for (int i = 0; i < kBatches * kActions; ++i)
            sum += clock.now();
    });
    STAGELOOM_CHECK(sum > 0, "the clock stands");
    bench::report("one look at the clock",
        fmt::format("{:.0f} ns", looks * 1e9 / (kBatches * kActions)), "none");
    bench::report("span recorder",
        fmt::format("{:.0f} ns a span", seconds * 1e9 / (kBatches * kActions)), "100 ns");
    return 0;
}
