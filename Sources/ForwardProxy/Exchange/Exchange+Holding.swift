import HTTP1Codec
import NIOCore

/// What a request is held in, until it may be sent, or while it may have to be sent again.
extension Exchange {
    /// A head of up to so many bytes is not counted: it takes no more than the request itself.
    private static let smallHead = 4 * 1024
    /// So many bytes of a body that may have to be sent again are not counted.
    private static let smallReplay = 4 * 1024

    /// Counts what the request holds.
    ///
    /// - Parameter body: bytes of the body.
    /// - Returns: false when the client may not hold as much.
    func holds(_ body: Int) -> Bool {
        let total = body + headBytes
        guard total > 0 else { return true }
        return memory.grow(to: total, of: client.usage(of: route.clientName).memory)
    }

    /// It is held a second time as it is written.
    private var headBytes: Int {
        let size = head.octets.readableBytes
        return size > Self.smallHead ? 2 * size : 0
    }

    func failHolding() {
        fail(worker.usages.memoryRefused(to: client.usage(of: route.clientName)))
    }

    /// Keeps a piece of a body that takes part in the signature.
    func collect(_ bytes: ByteBuffer) {
        pace.received(bytes.readableBytes)
        collected?.writeImmutableBuffer(bytes)
        if !holds(collected?.storageCapacity ?? 0) { failHolding() }
    }

    /// To be called when all that was at hand of such a body has been taken.
    func awaitCollected() {
        let left = pace.timeLeft(at: worker.clock.coarseNow)
        guard left > .zero else { return fail(.bodyTooSlow) }
        client.awaitRequest(for: min(left, worker.settings.timeouts.idle))
    }

    /// Keeps a piece of a body that is on its way, for as long as it is not too much.
    func keepForReplay(_ bytes: ByteBuffer) {
        guard replayIsWhole else { return }
        let total = replay.readableBytes + bytes.readableBytes
        guard total <= Self.replayLimit, !machine.responseHasBegun, total <= Self.smallReplay || holds(total) else {
            return dropReplay()
        }
        if replay.readableBytes == 0, bytes.storageCapacity <= 2 * Self.smallReplay {
            replay = bytes
        } else {
            replay.writeImmutableBuffer(bytes)
        }
    }

    /// The request is not sent again.
    func dropReplay() {
        guard replayIsWhole else { return }
        replayIsWhole = false
        replay = ByteBuffer()
        if collected == nil { memory.shrink(to: headBytes) }
    }
}
