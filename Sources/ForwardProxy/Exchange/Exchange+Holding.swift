import HTTP1Codec
import NIOCore
import Settings

/// The memory that holds a request, until it may be sent, or while it may have to be sent again.
extension Exchange {
    /// The size up to which bytes are not counted, as they take no more than the request itself: of a head, of a body
    /// that may have to be sent again, of one that waits.
    private static let small = 4 * 1024

    /// Counts what the request holds now.
    ///
    /// - Parameter more: Bytes that are about to come to it.
    /// - Returns: False when the client may not hold as much.
    func mayHold(_ more: Int = 0) -> Bool {
        let total = total(more)
        guard total > memory.bytes else {
            memory.shrink(to: total)
            return true
        }
        return memory.grow(to: total, of: client.usage(of: route.clientName).memory)
    }

    private func total(_ more: Int = 0) -> Int {
        headBytes + trailerBytes + waitingBytes + (kept.collected?.storageCapacity ?? replayBytes(more))
    }

    /// It is held a second time as it is written.
    private var headBytes: Int {
        let size = head.bytes.readableBytes
        return size > Self.small ? 2 * size : 0
    }

    private var trailerBytes: Int {
        let size = requestTrailers?.bytes.readableBytes ?? 0
        return size > Self.small ? size : 0
    }

    private func replayBytes(_ more: Int) -> Int {
        let size = kept.replay.readableBytes + more
        return size > Self.small ? size : 0
    }

    func failHolding() {
        failHolding(asking: max(0, total() - memory.bytes))
    }

    private func giveBack() {
        failHolding(asking: nil)
    }

    private func failHolding(asking more: Int?) {
        fail(context.usages.memoryRefused(to: client.usage(of: route.clientName), asking: more))
    }

    /// - Returns: Nil where it has nothing that it could give back.
    func heldMemory(of client: ClientUsage) -> HeldMemory? {
        guard memory.isOf(client) else { return nil }
        if machine.isCollecting { return HeldMemory(bytes: memory.bytes, giveBack: giveBack) }
        // Without a stream it is about to be sent, and cannot be done without.
        if kept.replay.readableBytes > 0, stream != nil { return HeldMemory(bytes: memory.bytes, giveBack: dropReplay) }
        if isSent, let collected = kept.collected, collected.storageCapacity > 0 {
            return HeldMemory(bytes: memory.bytes, giveBack: dropCollected)
        }
        // A server may have acted upon a request that is whole.
        let mayFail = !machine.requestIsComplete || stream == nil || head.method.isIdempotent
        guard mayFail, !machine.finalResponseHasBegun else { return nil }
        return HeldMemory(bytes: memory.bytes, giveBack: giveBack)
    }

    /// Indicates whether nothing of it waits any more to be sent.
    private var isSent: Bool { stream.map { machine.requestIsComplete && $0.unsentBytes == 0 } ?? false }

    /// The request is not sent again, nor is what was signed explained.
    private func dropCollected() {
        kept.dropCollected()
        requestTrailers = nil
        _ = mayHold()
    }

    /// The client's connection keeps this much of the body until it is wanted.
    func requestWaits(bytes: Int) {
        let counted = bytes > Self.small ? bytes : 0
        guard counted != waitingBytes else { return }
        waitingBytes = counted
        if !mayHold() { failHolding() }
    }

    /// Keeps a piece of a body that takes part in the signature.
    func collect(_ bytes: ByteBuffer) {
        pace.received(bytes.readableBytes, at: context.clock.coarseNow)
        kept.collect(bytes)
        if !mayHold() { failHolding() }
    }

    /// To be called when all that was at hand of such a body has been taken.
    func awaitCollected() {
        let left = pace.timeLeft(at: context.clock.coarseNow)
        guard left > .zero else { return fail(.bodyTooSlow) }
        client.awaitRequest(for: min(left, context.settings.timeouts.idle))
    }

    /// Keeps a piece of a body that is on its way, for as long as it is not too much.
    func keepForReplay(_ bytes: ByteBuffer) {
        guard kept.isAtHand else { return }
        let total = kept.replay.readableBytes + bytes.readableBytes
        guard total <= Self.replayLimit, !machine.responseHasBegun, mayHold(bytes.readableBytes) else {
            return dropReplay()
        }
        kept.keepForReplay(bytes, ownStorageAbove: 2 * Self.small)
    }

    /// Keeps the trailer section of a request that is on its way, if the rest of it is kept too.
    func keepTrailers() {
        if kept.isAtHand, mayHold() { return }
        dropReplay()
        requestTrailers = nil
    }

    /// The request is not sent again.
    func dropReplay() {
        guard kept.dropReplay() else { return }
        requestTrailers = nil
        _ = mayHold()
    }
}
