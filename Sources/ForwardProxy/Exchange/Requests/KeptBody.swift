import NIOCore

/// The part of a request's body that is kept, for as long as the request may have to be sent, or sent again.
struct KeptBody {
    private enum Content {
        /// No part of the body has come, and there may be none.
        case nothing
        /// The body is sent as it comes. What has come is kept, so that the request can be sent again.
        case replay(ByteBuffer)
        /// The body is sent as it comes, and not kept.
        case streamed
        /// The body takes part in the signature. What has come of it, and how fast.
        case collected(ByteBuffer, BodyPace)
        /// The body took part in the signature, has been sent, and is not kept.
        case sent
    }

    private var content = Content.nothing

    /// Indicates whether all that has come of the body can be sent again.
    var isAtHand: Bool {
        switch content {
        case .nothing, .replay, .collected: true
        case .streamed, .sent: false
        }
    }

    /// The body that takes part in the signature, empty once it is not kept; nil: the body is sent as it comes.
    var collected: ByteBuffer? {
        switch content {
        case .collected(let body, _): body
        case .sent: ByteBuffer()
        case .nothing, .replay, .streamed: nil
        }
    }

    /// Indicates whether the body took part in the signature and is not kept, so that the signature cannot be
    /// explained.
    var isSent: Bool {
        if case .sent = content { true } else { false }
    }

    /// The bytes that are kept of a body that is sent as it comes; nil where none are.
    var replay: ByteBuffer? {
        if case .replay(let bytes) = content { bytes } else { nil }
    }

    var replayBytes: Int {
        if case .replay(let bytes) = content { bytes.readableBytes } else { 0 }
    }

    mutating func beginCollecting(from start: NIODeadline) {
        content = .collected(ByteBuffer(), BodyPace(start: start))
    }

    /// Keeps a piece of a body that takes part in the signature.
    mutating func collect(_ bytes: ByteBuffer, at now: NIODeadline) {
        guard case .collected(var body, var pace) = content else { return }
        content = .sent
        body.writeImmutableBuffer(bytes)
        pace.received(bytes.readableBytes, at: now)
        content = .collected(body, pace)
    }

    /// The time in which more has to come of a body that takes part in the signature; none when it is too slow.
    func timeLeft(at now: NIODeadline) -> TimeAmount {
        if case .collected(_, let pace) = content { pace.timeLeft(at: now) } else { .zero }
    }

    /// Keeps a piece of a body that is sent as it comes.
    ///
    /// - Parameter limit: Bytes of storage above which the piece is copied: a slice would keep all that was
    ///   received with it.
    mutating func keepForReplay(_ bytes: ByteBuffer, ownStorageAbove limit: Int) {
        var kept: ByteBuffer
        switch content {
        case .nothing where bytes.storageCapacity <= limit:
            content = .replay(bytes)
            return
        case .nothing: kept = ByteBuffer()
        case .replay(let bytes): kept = bytes
        case .streamed, .collected, .sent: return
        }
        content = .streamed
        kept.writeImmutableBuffer(bytes)
        content = .replay(kept)
    }

    /// Keeps no more of a body that is sent as it comes.
    ///
    /// - Returns: Whether it was kept.
    mutating func dropReplay() -> Bool {
        switch content {
        case .nothing, .replay:
            content = .streamed
            return true
        case .streamed, .collected, .sent: return false
        }
    }

    /// Keeps no more of a body that took part in the signature and has been sent.
    mutating func dropCollected() {
        if case .collected = content { content = .sent }
    }
}
