// SPDX-License-Identifier: Apache-2.0
#include "engine/worker/steering.h"

#include <csignal>
#include <unistd.h>

namespace stageloom::engine {

Steering::Steering(std::int64_t steps)
{
    m_status.steps = steps;
    m_status.pid = getpid();
}

Status Steering::command(ControlCommand command)
{
    const std::lock_guard lock(m_mutex);
    switch (command) {
    case ControlCommand::Pause:
    case ControlCommand::Resume:
        m_paused = command == ControlCommand::Pause;
        if (m_executor)
            m_executor->setPaused(m_paused);
        return {};
    case ControlCommand::StopAfterBatch:
        m_stop = true;
        m_paused = false;
        if (m_executor)
            m_executor->stopAfterBatch();
        return {};
    case ControlCommand::StopNow:
        m_stop = m_stopNow = true;
        if (m_executor)
            m_executor->stopNow();
        return {};
    case ControlCommand::Checkpoint:
        return fail(ErrorKind::Unsupported, "This engine writes no checkpoints; the run goes on.");
    case ControlCommand::Query:
    case ControlCommand::Subscribe:
        break;
    }
    return fail(ErrorKind::Invalid, "The engine does not take the command {}.", toString(command));
}

void Steering::attach(Executor* executor)
{
    const std::lock_guard lock(m_mutex);
    m_executor = executor;
    m_ended = !executor;
    if (!executor)
        return;
    if (m_stopNow)
        executor->stopNow();
    else if (m_stop)
        executor->stopAfterBatch();
    else if (m_paused)
        executor->setPaused(true);
}

std::string Steering::phase() const
{
    if (m_ended)
        return "finished";
    if (!m_executor)
        return "starting";
    if (m_stop)
        return "stopping";
    if (m_paused)
        return "paused";
    return m_executor->evaluating() ? "evaluating" : "running";
}

RunStatus Steering::status() const
{
    const std::lock_guard lock(m_mutex);
    RunStatus status = m_status;
    status.phase = phase();
    return status;
}

bool Steering::stopAsked() const
{
    const std::lock_guard lock(m_mutex);
    return m_stop;
}

void Steering::progress(std::int64_t step, double loss, double tokensPerSecond, double secondsLeft)
{
    const std::lock_guard lock(m_mutex);
    m_status.step = step;
    m_status.loss = loss;
    m_status.tokensPerSecond = tokensPerSecond;
    m_status.secondsLeft = secondsLeft;
}

namespace {
sigset_t stopSet()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    // Under nohup it is ignored, and waiting for it would hear it all the same.
    struct sigaction hangUp { };
    sigaction(SIGHUP, nullptr, &hangUp);
    if (hangUp.sa_handler != SIG_IGN)
        sigaddset(&set, SIGHUP);
    return set;
}
}

StopSignals::StopSignals(Steering& steering)
    : m_steering(steering)
{
    const sigset_t set = stopSet();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    m_thread = std::thread([this] { watch(); });
}

StopSignals::~StopSignals()
{
    m_quit = true;
    m_thread.join();
}

void StopSignals::watch()
{
    const sigset_t set = stopSet();
    const timespec slice { 0, 100'000'000 };
    bool again = false;
    while (!m_quit) {
        if (sigtimedwait(&set, nullptr, &slice) < 0)
            continue;
        (void)m_steering.command(again ? ControlCommand::StopNow : ControlCommand::StopAfterBatch);
        again = true;
    }
}

} // namespace stageloom::engine
