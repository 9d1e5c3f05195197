import NIOCore

@testable import ForwardProxy

extension RunningProxy {
    /// Waits until the proxy has read a part of a head.
    func hasBegunHead() async throws {
        try await hasSlowClients(1)
    }

    /// Waits until so many clients of an event loop are waited for.
    func hasSlowClients(_ count: Int) async throws {
        try await hasClients(count) { $0.slowSince(at: $1) != nil }
    }

    /// Waits until so many clients of an event loop are between requests, of which some have been answered.
    func hasKeptClients(_ count: Int) async throws {
        try await hasClients(count) { client, _ in client.keptSince != nil }
    }

    private func hasClients(
        _ count: Int,
        where isMeant: @escaping @Sendable (any ClientConnection, NIODeadline) -> Bool
    ) async throws {
        while !Task.isCancelled {
            for proxyLoop in server.loops.values {
                let found = try await proxyLoop.eventLoop.submit { [clock] in
                    proxyLoop.value.clients.count { isMeant($0, clock.now) }
                }.get()
                if found >= count { return }
            }
        }
        throw CancellationError()
    }

    /// Waits until so many log-ins wait for their turn to be checked.
    func hasWaitingLogins(_ count: Int) async throws {
        while true {
            try Task.checkCancellation()
            var waiting = 0
            for proxyLoop in server.loops.values {
                waiting += try await proxyLoop.eventLoop.submit {
                    proxyLoop.value.clients.count { ($0 as? ClientHandler)?.machine.awaitsTurn == true }
                }.get()
            }
            if waiting == count { return }
        }
    }

    /// Waits until something is so that the event loops bring about.
    func wait(until condition: () throws -> Bool) async throws {
        while try !condition() {
            try Task.checkCancellation()
            for proxyLoop in server.loops.values { try await proxyLoop.eventLoop.submit {}.get() }
        }
    }
}
