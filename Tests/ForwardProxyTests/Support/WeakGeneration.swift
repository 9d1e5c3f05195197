@testable import ForwardProxy

/// Tells whether anything of a configuration is still there.
final class WeakGeneration: Sendable {
    private weak let generation: ProxyGeneration?
    init(_ generation: ProxyGeneration) { self.generation = generation }
    var exists: Bool { generation != nil }
}
