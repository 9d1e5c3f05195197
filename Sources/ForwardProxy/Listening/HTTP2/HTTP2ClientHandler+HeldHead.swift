import HTTP2Codec
import Logging

/// The part of a header block that has come and is not whole yet. It cannot be skipped, for the blocks after it need
/// its fields to be decompressed: where it is too much, the connection ends.
extension HTTP2ClientHandler {
    /// Counts it, where that is much, and ends the connection when the client may not have so much held.
    func holdHead() {
        let bytes = wire.connection.bufferedBytes
        guard bytes > ClientInput.smallHead else { return headMemory.release() }
        let usage = usage(of: clientName)
        if !headMemory.isOf(usage) { headMemory.release() }
        headMemory.shrink(to: bytes)
        if !headMemory.grow(to: bytes, of: usage.memory) { refuseHead(asking: bytes - headMemory.bytes) }
    }

    func heldHead(of client: ClientUsage) -> [HeldMemory] {
        guard headMemory.bytes > 0, headMemory.isOf(client) else { return [] }
        return [HeldMemory(bytes: headMemory.bytes, giveBack: { [self] in _ = endUnfinishedHead() })]
    }

    func endUnfinishedHead() -> Bool {
        guard !isClosed, headMemory.bytes > 0 else { return false }
        refuseHead(asking: nil)
        return true
    }

    /// - Parameter more: Bytes that were asked for; nil: what it has is taken from it.
    private func refuseHead(asking more: Int?) {
        let problem = worker.usages.memoryRefused(to: usage(of: clientName), asking: more)
        worker.logger.debug("a client's HTTP/2 connection was ended", metadata: ["reason": "\(problem.detail)"])
        wire.connection.goAway(.enhanceYourCalm, refusingLaterStreams: true, debugText: problem.detail)
        close()
    }
}
