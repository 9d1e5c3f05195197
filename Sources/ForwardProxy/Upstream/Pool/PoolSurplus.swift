/// The targets of one event loop with more idle connections than are kept for long.
///
/// A new connection takes the place of one of these. So there are never more connections, but for those that are kept
/// for long, than requests were in flight at once, and what a burst to one host has left takes no files from others.
final class PoolSurplus {
    private var targets: [TargetPool] = []

    func begin(at target: TargetPool) {
        targets.append(target)
    }

    func end(at target: TargetPool) {
        targets.removeAll { $0 === target }
    }

    /// To be called before a connection is made.
    func makeRoom() {
        targets.first { $0.hasSurplus }?.closeOneOfSurplus()
    }
}

@available(*, unavailable)
extension PoolSurplus: Sendable {}
