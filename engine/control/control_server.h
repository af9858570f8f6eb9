// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/client/protocol.h"
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>

namespace stageloom {

// What the engine does when a client asks. Called on the server's thread, one at a time; they set
// flags and return at once. `command` gets everything but Query and Subscribe.
struct ControlHandlers {
    std::function<RunStatus()> query;
    std::function<Status(ControlCommand)> command;
};

// The engine's half of the control channel: listens in a thread of its own from listen() until it
// is destroyed. The socket's place is written into `control.path` in the run's folder.
class ControlServer {
public:
    static constexpr std::size_t kQueueLimit = 64u << 20; // bytes that wait for one client
    // How often a subscriber hears the status where nothing else happens: a client that hears
    // nothing for several of these knows that the engine stands still.
    static constexpr std::chrono::milliseconds kHeartbeat { 1000 };
    static Result<std::unique_ptr<ControlServer>> listen(const std::filesystem::path& folder,
        ControlHandlers handlers, std::size_t queueLimit = kQueueLimit);
    ~ControlServer(); // gives what is queued (the ended event) up to a second, then closes

    // To every subscriber; any thread, never blocks on a client. A client whose queue is full is
    // dropped: the store has all it missed.
    void broadcast(ControlEvent event);
    [[nodiscard]] int subscribers() const; // any thread; zero: nobody reads events

private:
    ControlServer();
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace stageloom
