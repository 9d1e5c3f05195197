import Credentials
import HTTP1Codec
import NIOCore
import Settings

/// One request of a token exchange and its whole response.
final class WholeRequest: UpstreamLessee {
    /// The reason why there is no response.
    struct Failure: Error {
        let reason: UpstreamFailure
        /// Indicates whether the upstream may have got the request.
        let wasSent: Bool
    }

    private static let bodyLimit = 256 * 1024

    private let request: ExchangeRequest
    private let connections: TargetPool
    private let timeouts: ProxyTimeouts
    private let clock: any ProxyClock
    private let mayBeSent: () -> Bool
    private let promise: EventLoopPromise<ExchangeResponse>
    private var stream: (any UpstreamStream)?
    private var timer: Scheduled<Void>?
    private var status = 0
    private var fields: [(String, String)] = []
    private var body = ByteBuffer()
    private var isOver = false
    private var isSent = false

    /// - Parameters:
    ///   - mayBeSent: Asked when the connection is there, which may take a while.
    ///   - promise: Fails with ``Failure``.
    init(
        request: ExchangeRequest,
        connections: TargetPool,
        timeouts: ProxyTimeouts,
        clock: any ProxyClock,
        mayBeSent: @escaping () -> Bool,
        promise: EventLoopPromise<ExchangeResponse>
    ) {
        self.request = request
        self.connections = connections
        self.timeouts = timeouts
        self.clock = clock
        self.mayBeSent = mayBeSent
        self.promise = promise
    }

    /// Sends the request on a connection that is new: a token request is not safe to send twice.
    func start() {
        guard let head = try? head() else { return finish(.failure(.requestNotMade)) }
        connections.open(http1: false, sendsBody: true, for: nil) { [self] result in
            switch result {
            case .success(let stream) where isOver: stream.release(reusable: true)
            case .success(let stream) where !mayBeSent():
                stream.release(reusable: true)
                finish(.failure(.closed))
            case .success(let stream): send(head, on: stream)
            case .failure(let failure): finish(.failure(failure))
            }
        }
    }

    private func send(_ head: RequestHead, on stream: any UpstreamStream) {
        self.stream = stream
        isSent = true
        stream.lease(to: self)
        stream.write(
            head,
            as: OutgoingRequest(
                target: nil,
                scheme: request.destination.scheme,
                host: nil,
                dropped: [],
                tokenField: nil,
                acceptsTrailers: false,
                upgrade: nil,
                body: ByteBuffer(bytes: request.body),
                isComplete: true
            ),
            // One of its own: what is sent holds secrets, and is not to be kept.
            scratch: HeadScratch()
        )
        stream.flush()
        timer = clock.schedule(in: timeouts.responseHeader, on: promise.futureResult.eventLoop) { [self] in
            fail(.responseTimeout(setting: "timeouts.response_header"))
        }
    }

    /// Ends the wait for the response.
    func cancel() {
        fail(.closed)
    }

    /// - Throws: When the words of others that are in it do not make a request: nothing of the kind is sent.
    private func head() throws(MessageError) -> RequestHead {
        var fields = [("Host", request.destination.authority)] + request.fields
        fields += [("User-Agent", "paraph"), ("Accept-Encoding", "identity")]
        if !request.fields.contains(where: { $0.0.lowercased() == "accept" }) { fields.append(("Accept", "*/*")) }
        return try RequestHead(
            method: request.method.utf8,
            target: request.destination.target.utf8,
            fields: fields.map { (name: $0.0, value: Array($0.1.utf8)) },
            contentLength: request.method == "GET" && request.body.isEmpty ? nil : request.body.count
        )
    }

    private func fail(_ failure: UpstreamFailure) {
        stream?.close(.cancelled)
        stream = nil
        finish(.failure(failure))
    }

    private func finish(_ result: Result<ExchangeResponse, UpstreamFailure>) {
        guard !isOver else { return }
        isOver = true
        timer?.cancel()
        timer = nil
        promise.completeWith(result.mapError { Failure(reason: $0, wasSent: isSent) as any Error })
    }

    // MARK: Response

    var takesResponseBytes: Bool { true }

    func upstreamResponseHead(_ head: ResponseHead) {
        guard !head.isInformational else { return }
        status = head.status
        fields = head.fields.map { (String(buffer: $0.name), String(buffer: $0.value)) }
    }

    func upstreamResponseBody(_ bytes: ByteBuffer) {
        body.writeImmutableBuffer(bytes)
        if body.readableBytes > Self.bodyLimit { fail(.responseTooLarge) }
    }

    func upstreamResponseEnd(trailers: FieldSection?, reusable: Bool) {
        stream?.release(reusable: reusable)
        stream = nil
        finish(.success(ExchangeResponse(status: status, fields: fields, body: [UInt8](buffer: decodedBody))))
    }

    /// Some code it though they were asked not to; what cannot be decoded stays as it is.
    private var decodedBody: ByteBuffer {
        let coding = fields.first { $0.0.lowercased() == "content-encoding" }?.1 ?? ""
        return ContentDecoding.decode(body, contentEncoding: coding, limit: Self.bodyLimit) ?? body
    }

    func upstreamDelivered() {}
    func upstreamReadComplete() {}
    func upstreamWritabilityChanged(isWritable: Bool) {}

    func upstreamClosed(_ reason: UpstreamFailure) {
        stream = nil
        finish(.failure(reason))
    }
}

@available(*, unavailable)
extension WholeRequest: Sendable {}
