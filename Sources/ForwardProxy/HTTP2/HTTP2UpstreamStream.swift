import HTTP1Codec
import HTTP2Codec
import NIOCore
import OAuthSigning

/// The place of one request on an upstream connection that speaks HTTP/2.
final class HTTP2UpstreamStream: UpstreamStream {
    /// What has come of the response and is not taken yet.
    enum Output {
        case head(ResponseHead)
        case data(ByteBuffer)
        case end(trailers: FieldSection?)
    }

    private enum Phase {
        /// No request yet.
        case reserved
        case open(HTTP2StreamID)
        case over
    }

    let isReused: Bool
    private let handler: HTTP2UpstreamHandler
    private var phase = Phase.reserved
    private var lessee: (any UpstreamLessee)?
    private var output: CircularBuffer<Output> = []
    private var isDelivering = false
    private var requestHasEnded = false
    private var began: NIODeadline = .distantFuture

    init(handler: HTTP2UpstreamHandler, isReused: Bool) {
        self.handler = handler
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
            end(.cancel)
            // Nothing at all has come since the request: the connection may be dead, and the next request's would be too.
            if handler.lastReceived < began { handler.finish() }
        }
    }

    func switchProtocols(to tunnel: TunnelHandler) -> Bool { false }

    private func end(_ code: HTTP2ErrorCode?) {
        lessee = nil
        output.removeAll()
        let phase = self.phase
        self.phase = .over
        switch phase {
        case .reserved: handler.giveBackPlace()
        case .over: break
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
        return handler.isWritable && handler.connection.pendingOctets(id) == 0
    }

    func write(_ request: OutgoingRequest, scratch: HeadScratch) {
        guard case .reserved = phase else { return }
        guard let id = handler.open(self) else {
            phase = .over
            return gone(.closed)
        }
        phase = .open(id)
        began = CoarseClock.now()
        requestHasEnded = request.isComplete
        let body = request.body ?? ByteBuffer()
        if request.acceptsTrailers { scratch.fields.writeStaticString("TE: trailers\r\n") }
        handler.connection.sendRequest(
            id,
            request.head,
            scheme: request.scheme == .https ? .https : .http,
            authority: request.host,
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

    func writeBody(_ octets: ByteBuffer) {
        guard case .open(let id) = phase else { return }
        handler.connection.sendData(id, octets, endsStream: false)
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
        output.append(part)
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
        phase = .over
        output.removeAll()
        let lessee = self.lessee
        self.lessee = nil
        lessee?.upstreamClosed(failure)
    }

    /// Hands over what is there, for as long as the lessee takes it.
    private func deliver() {
        guard !isDelivering else { return }
        isDelivering = true
        while case .open(let id) = phase, let lessee, lessee.takesResponseOctets, let part = output.popFirst() {
            switch part {
            case .head(let head): lessee.upstreamResponseHead(head)
            case .data(let octets):
                handler.connection.consumed(id, octets: octets.readableBytes)
                lessee.upstreamResponseBody(octets)
            case .end(let trailers): lessee.upstreamResponseEnd(trailers: trailers, reusable: true)
            }
        }
        isDelivering = false
    }

    /// All that one read brought has been received.
    func delivered() {
        lessee?.upstreamDelivered()
        lessee?.upstreamReadComplete()
    }
}

@available(*, unavailable)
extension HTTP2UpstreamStream: Sendable {}
