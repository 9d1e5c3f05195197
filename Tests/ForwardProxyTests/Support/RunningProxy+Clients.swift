import NIOCore

@testable import ForwardProxy

extension RunningProxy {
    /// Waits until the proxy has read a part of a head.
    func hasBegunHead() async throws {
        while !Task.isCancelled {
            for proxyLoop in server.loops.values {
                let hasBegun = try await proxyLoop.eventLoop.submit {
                    proxyLoop.value.clients.contains { $0.slowSince(at: .distantFuture) != nil }
                }.get()
                if hasBegun { return }
            }
        }
        throw CancellationError()
    }

    /// Waits until something is so that the event loops bring about.
    func wait(until condition: () throws -> Bool) async throws {
        while try !condition() {
            try Task.checkCancellation()
            for proxyLoop in server.loops.values { try await proxyLoop.eventLoop.submit {}.get() }
        }
    }
}
