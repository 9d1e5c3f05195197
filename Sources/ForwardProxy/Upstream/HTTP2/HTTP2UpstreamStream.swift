import HTTP1Codec
import HTTP2Codec
import NIOCore

/// The place of one request on an upstream connection that speaks HTTP/2.
///
/// Only carries out what ``HTTP2UpstreamStreamStateMachine`` says.
final class HTTP2UpstreamStream: UpstreamStream {
    /// A part of the response.
    enum Output {
        case head(ResponseHead)
        case data(ByteBuffer)
        case end(trailers: FieldSection?)
    }

    /// The parts that have come and are not taken yet, in order.
    private struct Waiting {
        enum End {
            case notCome
            case come(trailers: FieldSection?)
        }

        var heads: CircularBuffer<ResponseHead> = []
        var body = WaitingBytes()
        var end = End.notCome

        var isEmpty: Bool {
            guard case .notCome = end else { return false }
            return heads.isEmpty && body.isEmpty
        }

        mutating func popFirst() -> Output? {
            if let head = heads.popFirst() { return .head(head) }
            if let bytes = body.take() { return .data(bytes) }
            guard case .come(let trailers) = end else { return nil }
            end = .notCome
            return .end(trailers: trailers)
        }
    }

    let isReused: Bool
    var connectTimes: ConnectTimes? { handler.connectTimes }
    var verdict: CertificateVerdict? { handler.verdict }
    var address: SocketAddress? { handler.channel?.remoteAddress }
    var version: String { "h2" }
    /// The client whose request it is; nil: the proxy's own.
    let client: ClientUsage?
    let sendsBody: Bool
    private let handler: HTTP2UpstreamHandler
    private var machine = HTTP2UpstreamStreamStateMachine<any UpstreamLessee>()
    private var waiting = Waiting()
    private var window = BodyWindow()

    init(handler: HTTP2UpstreamHandler, client: ClientUsage?, sendsBody: Bool, isReused: Bool) {
        self.handler = handler
        self.client = client
        self.sendsBody = sendsBody
        self.isReused = isReused
    }

    // MARK: Lease

    func lease(to lessee: any UpstreamLessee) {
        machine.lease(to: lessee)
    }

    func release(reusable: Bool) {
        // A response that is through before its request: the server does not want the rest.
        end(machine.requestIsWritten ? nil : .noError)
    }

    func close(_ cause: StreamEnd) {
        switch cause {
        case .cancelled: end(.cancel)
        case .reset(let code): end(code)
        case .timedOut:
            // Nothing at all has come since the request: the connection may be dead, and the next request's would be
            // too. First, so that nobody who waits gets this one's place.
            if machine.isUnanswered(lastReceived: handler.lastReceived) { handler.finish() }
            end(.cancel)
        }
    }

    func switchProtocols(to tunnel: TunnelHandler) -> Bool { false }

    private func end(_ code: HTTP2ErrorCode?) {
        waiting = Waiting()
        handler.release(&window)
        switch machine.end() {
        case .giveBackPlace: handler.giveBackPlace(of: self)
        case .forget(let id):
            if let code { handler.reset(id, code) }
            handler.forget(id)
        case .none: break
        }
    }

    // MARK: Request

    var isWritable: Bool {
        guard let id = machine.openID else { return false }
        return handler.isWritable && handler.pendingBytes(id) == 0
    }

    var unsentBytes: Int {
        if let id = machine.openID { handler.pendingBytes(id) } else { 0 }
    }

    func write(_ head: RequestHead, as request: OutgoingRequest, scratch: HeadScratch) {
        guard machine.takesRequest else { return }
        guard let id = handler.open(self) else { return gone(.closed) }
        let isComplete = request.isComplete || request.body?.readableBytes ?? 0 > 0
        machine.opened(id, isComplete: isComplete, at: handler.now)
        handler.send(head, as: request, fields: &scratch.fields, on: id)
    }

    func writeBody(_ bytes: ByteBuffer) {
        if let id = machine.openID { handler.send(bytes, on: id) }
    }

    func writeEnd(trailers: FieldSection?) {
        guard let id = machine.endWritten() else { return }
        if let trailers {
            handler.send(trailers: trailers, on: id)
        } else {
            handler.send(ByteBuffer(), on: id, endsStream: true)
        }
    }

    func flush() {
        handler.flush()
    }

    // MARK: Response

    func receive(_ part: Output) {
        if waiting.isEmpty, let lessee = machine.lessee, lessee.takesResponseBytes, machine.deliveryBegan() {
            hand(part, to: lessee)
            return machine.deliveryEnded()
        }
        switch part {
        case .head(let head): waiting.heads.append(head)
        case .data(let bytes): waiting.body.append(bytes)
        case .end(let trailers): waiting.end = .come(trailers: trailers)
        }
        deliver()
    }

    func resumeReading() {
        deliver()
        delivered()
        handler.flush()
    }

    func writabilityChanged() {
        machine.lessee?.upstreamWritabilityChanged(isWritable: isWritable)
    }

    /// The stream is no more, and it was not this side that ended it.
    func gone(_ failure: UpstreamFailure) {
        machine.gone(failure)
        deliver()
    }

    /// Hands over what is there, for as long as the lessee takes it.
    private func deliver() {
        guard machine.deliveryBegan() else { return }
        giveBack()
        while let lessee = machine.lessee, lessee.takesResponseBytes, let part = waiting.popFirst() {
            hand(part, to: lessee)
        }
        machine.deliveryEnded()
        guard waiting.isEmpty, let (lessee, failure) = machine.takeFailure() else { return }
        handler.release(&window)
        lessee.upstreamClosed(failure)
    }

    private func hand(_ part: Output, to lessee: any UpstreamLessee) {
        switch part {
        case .head(let head): lessee.upstreamResponseHead(head)
        case .data(let bytes):
            window.passedOn(bytes.readableBytes)
            lessee.upstreamResponseBody(bytes)
            giveBack()
        case .end(let trailers): lessee.upstreamResponseEnd(trailers: trailers, reusable: machine.openID != nil)
        }
    }

    private func giveBack() {
        guard let id = machine.openID, machine.lessee?.takesResponseBytes == true else { return }
        handler.giveBack(&window, of: id, hasCaughtUp: waiting.isEmpty)
    }

    /// All that one read brought has been received.
    func delivered() {
        machine.lessee?.upstreamDelivered()
        machine.lessee?.upstreamReadComplete()
    }
}

@available(*, unavailable)
extension HTTP2UpstreamStream: Sendable {}
