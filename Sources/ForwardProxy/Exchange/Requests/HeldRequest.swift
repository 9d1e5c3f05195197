import HTTP1Codec
import NIOCore

/// The parts of a request that are held until it may be sent, or while it may have to be sent again, and the memory
/// that is counted for them.
///
/// The memory is that of `limits.collected`. Who holds too much of it is told at once, and what is held stays.
struct HeldRequest {
    /// Bytes of a streamed body that are kept until the response begins, so that it can be sent again.
    static let replayLimit = 64 * 1024
    /// The size up to which bytes are not counted, as they take no more than the request itself: of a head, of a body
    /// that may have to be sent again, of one that waits.
    private static let small = 4 * 1024

    private(set) var body = KeptBody()
    /// The trailer section of the request, as far as it is forwarded.
    private(set) var trailers: FieldSection?
    /// Bytes of the body that the client's connection keeps until they are wanted, where these are many.
    private var waitingBytes = 0
    /// Bytes of the head, which is held a second time as it is written.
    private let headBytes: Int
    private var memory = MemoryClaim()

    init(head: borrowing RequestHead) {
        headBytes = 2 * Self.counted(head.bytes.readableBytes)
    }

    private static func counted(_ bytes: Int) -> Int { bytes > small ? bytes : 0 }

    // MARK: Memory

    /// The bytes that the proxy's budget for what is held has counted for it.
    var countedBytes: Int { memory.bytes }

    /// The memory that should be counted beyond that.
    var uncountedBytes: Int { max(0, total() - memory.bytes) }

    func isCounted(for client: ClientUsage) -> Bool { memory.isOf(client) }

    private func total(_ more: Int = 0) -> Int {
        let size = trailers?.bytes.readableBytes ?? 0
        return headBytes + Self.counted(size) + waitingBytes
            + (body.collected?.storageCapacity ?? Self.counted(body.replayBytes + more))
    }

    /// Counts what the request holds now.
    ///
    /// - Parameters:
    ///   - more: Bytes that are about to come to it.
    ///   - share: That of the request's client.
    /// - Returns: False when the client may not hold as much.
    mutating func count(_ more: Int = 0, for share: @autoclosure () -> SharedBudget.Share) -> Bool {
        let total = total(more)
        guard total > memory.bytes else {
            memory.shrink(to: total)
            return true
        }
        return memory.grow(to: total, of: share())
    }

    /// Returns the part that can be done without first, where memory is short; nil: none.
    ///
    /// - Parameters:
    ///   - isCollecting: Whether the body takes part in the signature, and is not whole.
    ///   - isLeased: Whether the request has a connection.
    ///   - isSent: Whether nothing of it waits any more to be sent.
    ///   - mayFail: Whether it may be refused.
    func dispensablePart(isCollecting: Bool, isLeased: Bool, isSent: Bool, mayFail: Bool) -> DispensablePart? {
        if isCollecting { return .whole }
        // Without a connection it is about to be sent, and cannot be done without.
        if isLeased, body.replayBytes > 0 { return .replay }
        if isSent, let collected = body.collected, collected.storageCapacity > 0 { return .collected }
        return mayFail ? .whole : nil
    }

    /// Counts nothing any more: the request is over.
    mutating func release() {
        memory.release()
    }

    // MARK: A body that takes part in the signature

    mutating func beginCollecting(from start: NIODeadline) {
        body.beginCollecting(from: start)
    }

    mutating func collect(_ bytes: ByteBuffer, at now: NIODeadline) {
        body.collect(bytes, at: now)
    }

    /// Keeps the trailer section of the request.
    mutating func keep(_ trailers: FieldSection?) {
        self.trailers = trailers
    }

    /// Keeps no more of a body that has been sent: the request is not sent again, nor is what was signed explained.
    mutating func dropCollected() {
        body.dropCollected()
        trailers = nil
        memory.shrink(to: total())
    }

    // MARK: A body that is sent as it comes

    /// Sets how much of the body the client's connection keeps until it is wanted.
    ///
    /// - Returns: Whether that is something else than before.
    mutating func bodyWaits(bytes: Int) -> Bool {
        let counted = Self.counted(bytes)
        guard counted != waitingBytes else { return false }
        waitingBytes = counted
        return true
    }

    /// Keeps a piece of a body that is on its way, if it may have to be sent again and that is not too much.
    mutating func keepForReplay(_ bytes: ByteBuffer, for share: @autoclosure () -> SharedBudget.Share) {
        guard body.isAtHand else { return }
        let total = body.replayBytes + bytes.readableBytes
        guard total <= Self.replayLimit, count(bytes.readableBytes, for: share()) else { return dropReplay() }
        body.keepForReplay(bytes, ownStorageAbove: 2 * Self.small)
    }

    /// Keeps the trailer section of a request that is on its way, if the rest of it is kept too.
    mutating func keepTrailers(for share: @autoclosure () -> SharedBudget.Share) {
        if body.isAtHand, count(for: share()) { return }
        dropReplay()
        trailers = nil
    }

    /// Keeps no more of a body that is on its way: the request is not sent again.
    mutating func dropReplay() {
        guard body.dropReplay() else { return }
        trailers = nil
        if memory.bytes > 0 { memory.shrink(to: total()) }
    }
}

extension HeldRequest {
    /// A part of a request that can be done without where memory is short.
    enum DispensablePart {
        /// All of it: the request is refused.
        case whole
        /// The body that is kept on its way: the request is not sent again.
        case replay
        /// The body that took part in the signature and has been sent: neither is it sent again, nor explained.
        case collected
    }
}
