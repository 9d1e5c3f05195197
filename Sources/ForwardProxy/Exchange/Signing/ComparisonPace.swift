import NIOCore

/// The pace at which signatures of clients that a provider refuses are compared with the right ones: one at a time, and
/// then none for a while, so that whoever signs wrongly all the time takes a small part of a processor.
struct ComparisonPace {
    /// The pause after a comparison, as a multiple of the time that it took.
    private static let pause: Int64 = 4

    private enum State {
        case idle(notBefore: NIODeadline)
        case comparing(since: NIODeadline)
    }

    private var state = State.idle(notBefore: .uptimeNanoseconds(0))

    /// - Returns: Whether a comparison may begin now; then ``end(at:)`` is to follow.
    mutating func begin(at now: NIODeadline) -> Bool {
        guard case .idle(let notBefore) = state, notBefore <= now else { return false }
        state = .comparing(since: now)
        return true
    }

    mutating func end(at now: NIODeadline) {
        guard case .comparing(let begin) = state else { return }
        state = .idle(notBefore: now + (now - begin) * Self.pause)
    }
}
