import NIOCore

/// The connections that are attempted for one tunnel, so that none outlives the client who asked for it: its place among
/// `limits.connections` stands for them too.
final class TunnelDial {
    private var attempts: [any Channel] = []
    private var isGivenUp = false

    /// - Returns: fails when nobody wants the tunnel any more.
    func begin(_ attempt: any Channel) -> EventLoopFuture<Void> {
        guard !isGivenUp else { return attempt.eventLoop.makeFailedFuture(ChannelError.eof) }
        attempts.append(attempt)
        return attempt.eventLoop.makeSucceededVoidFuture()
    }

    func giveUp() {
        isGivenUp = true
        for attempt in attempts { attempt.close(promise: nil) }
        attempts.removeAll()
    }
}

@available(*, unavailable)
extension TunnelDial: Sendable {}
