/// The orderly end of the proxy, as all parts of one event loop see it.
final class LoopShutdown {
    /// Indicates whether connections end with the responses that are under way.
    private(set) var hasBegun = false

    func begin() {
        hasBegun = true
    }
}

@available(*, unavailable)
extension LoopShutdown: Sendable {}
