import Synchronization

/// The outcome of the demo, handed from the service that finds out to the command: whether the provider verified the
/// request.
final class DemoOutcome: Sendable {
    private let value = Mutex(false)

    var isVerified: Bool { value.withLock { $0 } }

    func set(isVerified: Bool) {
        value.withLock { $0 = isVerified }
    }
}
