import NIOCore
import Routing
import Settings

// MARK: - The memory of what waits to be decoded

extension ClientHandler {
    /// Counts what has come of a head or a trailer section, or waits behind a request in flight, where that is much: at
    /// the end of the input all that there is comes, however little is asked for.
    func holdInput() {
        if !mayHoldInput(), !isUploadHeldUp { refuseInput(asking: input.bufferedBytes - input.heldBytes) }
    }

    /// - Returns: False when the client may not have so much held.
    private func mayHoldInput() -> Bool {
        guard machine.isServing, input.isLarge else {
            releaseInput()
            return true
        }
        let usage = inputUsage
        if !input.isHeld(for: usage) { releaseInput() }
        var isHolding = input.hold(for: usage)
        guard usage === worker.usages.unnamed else { return isHolding }
        while !isHolding, proxyLoop.endUnnamedHead(for: self) { isHolding = input.hold(for: usage) }
        if isHolding { proxyLoop.unnamedHeadIsHeld(by: self) }
        return isHolding
    }

    /// Indicates whether what has come waits until the server takes more of a body that is on its way: no more than one
    /// read has brought, which does not end an upload.
    private var isUploadHeldUp: Bool {
        guard let exchange, !machine.inputHasEnded else { return false }
        return exchange.isSending && !exchange.wantsRequestBody
    }

    /// The usage that the input is counted in. Nobody is named before the first head is whole, and an address may be
    /// many clients'.
    private var inputUsage: ClientUsage {
        if let name = requests.clientName { return usage(of: name) }
        return worker.settings.router.access.clients.isEmpty ? usage(of: nil) : worker.usages.unnamed
    }

    func releaseInput() {
        if input.release() { proxyLoop.unnamedHeadWasReleased(by: self) }
    }

    /// Indicates whether what has come of a head can be given back for others. Not while it is decoded.
    var mayGiveInputBack: Bool {
        machine.isServing && !machine.isDecoding && input.heldBytes > 0 && !isUploadHeldUp
    }

    func endUnfinishedHead() -> Bool {
        guard mayGiveInputBack else { return false }
        refuseInput(asking: nil)
        return true
    }

    /// The client has too much held already.
    ///
    /// - Parameter more: Bytes that were asked for; nil: what it has is taken from it.
    private func refuseInput(asking more: Int?) {
        let problem = worker.usages.memoryRefused(to: inputUsage, asking: more)
        releaseInput()
        if let exchange {
            guard exchange.requestIsWhole else { return exchange.fail(problem) }
            // What is behind the request in flight is dropped, and its response is the last.
            input.takeBuffered()
            return machine.inputWasCut()
        }
        input.takeBuffered()
        refuseUnread(problem)
    }
}
