import NIOCore

/// The work under way for a connection that one client alone waits for, so that none of it outlives the client: its
/// place among `limits.connections` stands for that too.
final class ClientDial {
    private var lookup: NameLookups.Pending?
    private var attempts: [any Channel] = []
    private(set) var isGivenUp = false

    func begin(_ lookup: NameLookups.Pending) {
        if isGivenUp { lookup.giveUp?() } else { self.lookup = lookup }
    }

    /// - Returns: Fails when nobody wants the connection any more.
    func begin(_ attempt: any Channel) -> EventLoopFuture<Void> {
        guard !isGivenUp else { return attempt.eventLoop.makeFailedFuture(ChannelError.eof) }
        attempts.append(attempt)
        return attempt.eventLoop.makeSucceededVoidFuture()
    }

    func giveUp() {
        isGivenUp = true
        lookup?.giveUp?()
        lookup = nil
        for attempt in attempts { attempt.close(promise: nil) }
        attempts.removeAll()
    }
}

extension UpstreamFailure {
    /// Returns the word for metrics, one of a bounded set.
    ///
    /// - Parameter dial: Of the client that waited for the connection; nil: others may have used it.
    func label(_ dial: ClientDial?) -> String { dial?.isGivenUp == true ? "given_up" : answer.token.rawValue }
}

@available(*, unavailable)
extension ClientDial: Sendable {}
