import NIOCore

/// The work under way for a connection that one client alone waits for, so that none of it outlives the client: its
/// place among `limits.connections` stands for that too.
final class ClientDial {
    private enum State {
        case wanted(lookup: NameLookups.Pending?, attempts: [any Channel])
        case givenUp
    }

    private var state = State.wanted(lookup: nil, attempts: [])

    var isGivenUp: Bool {
        if case .givenUp = state { true } else { false }
    }

    func begin(_ lookup: NameLookups.Pending) {
        switch state {
        case .wanted(_, let attempts): state = .wanted(lookup: lookup, attempts: attempts)
        case .givenUp: lookup.giveUp?()
        }
    }

    /// - Returns: Fails when nobody wants the connection any more.
    func begin(_ attempt: any Channel) -> EventLoopFuture<Void> {
        guard case .wanted(let lookup, let attempts) = state else {
            return attempt.eventLoop.makeFailedFuture(ChannelError.eof)
        }
        state = .wanted(lookup: lookup, attempts: attempts + [attempt])
        return attempt.eventLoop.makeSucceededVoidFuture()
    }

    func giveUp() {
        guard case .wanted(let lookup, let attempts) = state else { return }
        state = .givenUp
        lookup?.giveUp?()
        for attempt in attempts { attempt.close(promise: nil) }
    }
}

extension UpstreamFailure {
    /// Returns the word for metrics, one of a bounded set.
    ///
    /// - Parameter dial: The dial of the client that waited for the connection; nil: others may have used it.
    func label(_ dial: ClientDial?) -> String { dial?.isGivenUp == true ? "given_up" : answer.token.rawValue }
}

@available(*, unavailable)
extension ClientDial: Sendable {}
