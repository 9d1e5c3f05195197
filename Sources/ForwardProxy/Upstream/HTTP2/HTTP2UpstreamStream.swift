import HTTP1Codec
import HTTP2Codec
import NIOCore
import OAuthSigning

/// The place of one request on an upstream connection that speaks HTTP/2.
final class HTTP2UpstreamStream: UpstreamStream {
    /// A part of the response.
    enum Output {
        case head(ResponseHead)
        case data(ByteBuffer)
        case end(trailers: FieldSection?)
    }

    /// The parts that have come and are not taken yet, in order.
    private struct Waiting {
        var heads: CircularBuffer<ResponseHead> = []
        var body = WaitingBytes()
        var end: FieldSection??

        var isEmpty: Bool { heads.isEmpty && body.isEmpty && end == nil }

        mutating func popFirst() -> Output? {
            if let head = heads.popFirst() { return .head(head) }
            if let bytes = body.take() { return .data(bytes) }
            guard let trailers = end else { return nil }
            end = nil
            return .end(trailers: trailers)
        }
    }

    private enum Phase {
        /// No request yet.
        case reserved
        case open(HTTP2StreamID)
        /// The stream is no more, but what had come before that is not taken yet.
        case gone(UpstreamFailure)
        case over
    }

    let isReused: Bool
    /// The client whose request it is; nil: the proxy's own.
    let client: ClientUsage?
    let sendsBody: Bool
    private let handler: HTTP2UpstreamHandler
    private var phase = Phase.reserved
    private var lessee: (any UpstreamLessee)?
    private var waiting = Waiting()
    private var window = BodyWindow()
    private var isDelivering = false
    private var requestHasEnded = false
    private var began: NIODeadline = .distantFuture

    init(handler: HTTP2UpstreamHandler, client: ClientUsage?, sendsBody: Bool, isReused: Bool) {
        self.handler = handler
        self.client = client
        self.sendsBody = sendsBody
        self.isReused = isReused
    }

    // MARK: Lease

    func lease(to lessee: any UpstreamLessee) {
        self.lessee = lessee
    }

    func release(reusable: Bool) {
        // A response that is through before its request: the server does not want the rest.
        end(requestHasEnded ? nil : .noError)
    }

    func close(_ cause: StreamEnd) {
        switch cause {
        case .cancelled: end(.cancel)
        case .reset(let code): end(code)
        case .timedOut:
            // Nothing at all has come since the request: the connection may be dead, and the next request's would be
            // too. First, so that nobody who waits gets this one's place.
            if handler.lastReceived <= began { handler.finish() }
            end(.cancel)
        }
    }

    func switchProtocols(to tunnel: TunnelHandler) -> Bool { false }

    private func end(_ code: HTTP2ErrorCode?) {
        lessee = nil
        waiting = Waiting()
        window.release(to: &handler.spareWindow)
        let phase = self.phase
        self.phase = .over
        switch phase {
        case .reserved: handler.giveBackPlace(of: self)
        case .gone, .over: break
        case .open(let id):
            if let code {
                handler.connection.reset(id, code: code)
                handler.flush()
            }
            handler.forget(id)
        }
    }

    // MARK: Request

    var isWritable: Bool {
        guard case .open(let id) = phase else { return false }
        return handler.isWritable && handler.connection.pendingBytes(id) == 0
    }

    var unsentBytes: Int {
        guard case .open(let id) = phase else { return 0 }
        return handler.connection.pendingBytes(id)
    }

    func write(_ head: RequestHead, as request: OutgoingRequest, scratch: HeadScratch) {
        guard case .reserved = phase else { return }
        guard let id = handler.open(self) else { return gone(.closed) }
        phase = .open(id)
        began = handler.clock.coarseNow
        requestHasEnded = request.isComplete
        let body = request.body ?? ByteBuffer()
        if request.acceptsTrailers { scratch.fields.writeStaticString("TE: trailers\r\n") }
        handler.connection.sendRequest(
            id,
            head,
            scheme: request.scheme,
            authority: request.host ?? head.fields.value(of: .host) ?? ByteBuffer(),
            target: request.target,
            dropping: request.dropped,
            appending: scratch.fields,
            endsStream: request.isComplete && body.readableBytes == 0
        )
        if body.readableBytes > 0 {
            handler.connection.sendData(id, body, endsStream: true)
            requestHasEnded = true
        }
    }

    func writeBody(_ bytes: ByteBuffer) {
        guard case .open(let id) = phase else { return }
        handler.connection.sendData(id, bytes, endsStream: false)
    }

    func writeEnd(trailers: FieldSection?) {
        guard case .open(let id) = phase, !requestHasEnded else { return }
        requestHasEnded = true
        if let trailers {
            handler.connection.sendTrailers(id, trailers)
        } else {
            handler.connection.sendData(id, ByteBuffer(), endsStream: true)
        }
    }

    func flush() {
        handler.flush()
    }

    // MARK: Response

    func receive(_ part: Output) {
        if waiting.isEmpty, !isDelivering, let lessee, lessee.takesResponseBytes {
            isDelivering = true
            hand(part, to: lessee)
            isDelivering = false
            return
        }
        switch part {
        case .head(let head): waiting.heads.append(head)
        case .data(let bytes): waiting.body.append(bytes)
        case .end(let trailers): waiting.end = .some(trailers)
        }
        deliver()
    }

    func resumeReading() {
        deliver()
        delivered()
        handler.flush()
    }

    func writabilityChanged() {
        lessee?.upstreamWritabilityChanged(isWritable: isWritable)
    }

    /// The stream is no more, and it was not this side that ended it.
    func gone(_ failure: UpstreamFailure) {
        phase = .gone(failure)
        deliver()
    }

    /// Hands over what is there, for as long as the lessee takes it.
    private func deliver() {
        guard !isDelivering else { return }
        isDelivering = true
        giveBack()
        while let lessee, lessee.takesResponseBytes, let part = waiting.popFirst() { hand(part, to: lessee) }
        isDelivering = false
        if case .gone(let failure) = phase, waiting.isEmpty { tellEnd(failure) }
    }

    private func hand(_ part: Output, to lessee: any UpstreamLessee) {
        switch part {
        case .head(let head): lessee.upstreamResponseHead(head)
        case .data(let bytes):
            window.passedOn(bytes.readableBytes)
            lessee.upstreamResponseBody(bytes)
            giveBack()
        case .end(let trailers): lessee.upstreamResponseEnd(trailers: trailers, reusable: isOpen)
        }
    }

    private func giveBack() {
        guard case .open(let id) = phase, let lessee, lessee.takesResponseBytes else { return }
        window.taken(id, on: &handler.connection, hasCaughtUp: waiting.isEmpty, spare: &handler.spareWindow)
    }

    private var isOpen: Bool {
        if case .open = phase { return true }
        return false
    }

    private func tellEnd(_ failure: UpstreamFailure) {
        phase = .over
        window.release(to: &handler.spareWindow)
        let lessee = self.lessee
        self.lessee = nil
        lessee?.upstreamClosed(failure)
    }

    /// All that one read brought has been received.
    func delivered() {
        lessee?.upstreamDelivered()
        lessee?.upstreamReadComplete()
    }
}

@available(*, unavailable)
extension HTTP2UpstreamStream: Sendable {}
