import Credentials
import HTTP1Codec
import NIOCore
import Settings

/// One request of a token exchange and its whole response.
///
/// Only carries out what ``WholeRequestStateMachine`` says.
final class WholeRequest: UpstreamLessee {
    /// The reason why there is no response.
    struct Failure: Error {
        let reason: UpstreamFailure
        /// Indicates whether the upstream may have got the request.
        let wasSent: Bool
    }

    /// The stream that the request was sent on, and the end of its time.
    private struct Lease {
        let stream: any UpstreamStream
        let timer: Scheduled<Void>
    }

    private let request: ExchangeRequest
    private let connections: TargetPool
    private let timeouts: ProxyTimeouts
    private let clock: any ProxyClock
    private let mayBeSent: () -> Bool
    private let promise: EventLoopPromise<ExchangeResponse>
    private var machine = WholeRequestStateMachine<Lease>()

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
        guard let head = try? head() else { return end(machine.failed(.requestNotMade)) }
        connections.open(http1: false, sendsBody: true, for: nil) { [self] result in
            switch result {
            case .success(let stream): connected(stream, head)
            case .failure(let failure): end(machine.failed(failure.reason))
            }
        }
    }

    private func connected(_ stream: any UpstreamStream, _ head: RequestHead) {
        switch machine.connected(mayBeSent: mayBeSent) {
        case .send: send(head, on: stream)
        case .giveBack: stream.release(reusable: true)
        case .giveBackAndFail:
            stream.release(reusable: true)
            promise.fail(Failure(reason: .closed, wasSent: false))
        }
    }

    private func send(_ head: RequestHead, on stream: any UpstreamStream) {
        let timer = clock.schedule(in: timeouts.responseHeader, on: promise.futureResult.eventLoop) { [self] in
            end(machine.failed(.responseTimeout(setting: "timeouts.response_header")))
        }
        stream.lease(to: self)
        machine.sent(on: Lease(stream: stream, timer: timer))
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
    }

    /// Ends the wait for the response.
    func cancel() {
        end(machine.failed(.closed))
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

    // MARK: Response

    var takesResponseBytes: Bool { true }

    func upstreamResponseHead(_ head: ResponseHead) {
        machine.responseHead(head)
    }

    func upstreamResponseBody(_ bytes: ByteBuffer) {
        end(machine.responseBody(bytes))
    }

    func upstreamResponseEnd(trailers: FieldSection?, reusable: Bool) {
        end(machine.responseEnded(), reusable: reusable)
    }

    func upstreamDelivered() {}
    func upstreamReadComplete() {}
    func upstreamWritabilityChanged(isWritable: Bool) {}

    func upstreamClosed(_ reason: UpstreamFailure) {
        end(machine.closed(reason))
    }

    // MARK: End

    /// - Parameter reusable: Whether the upstream's connection could carry another request.
    private func end(_ action: WholeRequestStateMachine<Lease>.EndAction, reusable: Bool = false) {
        switch action {
        case .succeed(let lease, let response):
            lease.timer.cancel()
            lease.stream.release(reusable: reusable)
            promise.succeed(response)
        case .failUnsent(let failure): promise.fail(Failure(reason: failure, wasSent: false))
        case .cutOff(let lease, let failure):
            lease.timer.cancel()
            lease.stream.close(.cancelled)
            promise.fail(Failure(reason: failure, wasSent: true))
        case .fail(let lease, let failure):
            lease.timer.cancel()
            promise.fail(Failure(reason: failure, wasSent: true))
        case .none: break
        }
    }
}

@available(*, unavailable)
extension WholeRequest: Sendable {}
