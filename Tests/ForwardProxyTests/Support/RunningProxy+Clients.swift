import NIOCore

@testable import ForwardProxy

extension RunningProxy {
    /// Waits until the proxy has read a part of a head.
    func hasBegunHead() async throws {
        while !Task.isCancelled {
            for proxyLoop in server.loops.values {
                let hasBegun = try await proxyLoop.eventLoop.submit {
                    proxyLoop.value.clients.contains { $0.silentSince != nil }
                }.get()
                if hasBegun { return }
            }
        }
        throw CancellationError()
    }
}
