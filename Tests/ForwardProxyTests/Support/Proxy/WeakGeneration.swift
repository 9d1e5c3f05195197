@testable import ForwardProxy

/// Tells whether anything of a configuration is still there.
final class WeakGeneration: Sendable {
    private weak let generation: ProxyGeneration?
    init(_ generation: ProxyGeneration) { self.generation = generation }
    var exists: Bool { generation != nil }

    /// Indicates whether nothing of it stays.
    ///
    /// Time is counted in connections that begin and end meanwhile: what is there after many of them is held for good.
    func isForgotten(by proxy: RunningProxy) async throws -> Bool {
        for _ in 0..<1000 where exists {
            let wire = try await proxy.connect()
            try await wire.finishSending()
            _ = try await wire.end()
            await wire.close()
        }
        return !exists
    }
}
