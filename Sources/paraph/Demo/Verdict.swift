import Synchronization

/// The verdict on whether the provider verified the demo's request, handed from the service that finds out to the
/// command.
final class Verdict: Sendable {
    private let value = Mutex(false)

    var isVerified: Bool { value.withLock { $0 } }

    func set(isVerified: Bool) {
        value.withLock { $0 = isVerified }
    }
}
