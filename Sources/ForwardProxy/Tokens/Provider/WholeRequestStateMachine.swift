import Credentials
import HTTP1Codec
import NIOCore

/// The course of one request of a token exchange and its whole response, as a plain value.
///
/// 1. *Connecting*: a connection is awaited; ``connected(mayBeSent:)``, and ``sent(on:)`` where the request goes out.
/// 2. *Awaiting*, then *receiving* the response: ``responseHead(_:)``, ``responseBody(_:)``, ``responseEnded()``.
/// 3. It may be *over* before that: ``failed(_:)``, or ``closed(_:)`` by the upstream.
///
/// `Lease` is what the request was sent on, and what ends with that.
struct WholeRequestStateMachine<Lease> {
    private enum State {
        case connecting
        case awaiting(Lease)
        case receiving(Lease, ResponseHead, ByteBuffer)
        case over
    }

    private static var bodyLimit: Int { 256 * 1024 }

    private var state = State.connecting

    // MARK: Request

    enum ConnectedAction: Equatable {
        case send
        /// Give the connection back: the request is over.
        case giveBack
        /// Give the connection back: the request must not be sent any more.
        case giveBackAndFail
    }

    /// A connection is there.
    ///
    /// - Parameter mayBeSent: Asked where the request is still wanted.
    mutating func connected(mayBeSent: () -> Bool) -> ConnectedAction {
        guard case .connecting = state else { return .giveBack }
        guard mayBeSent() else {
            state = .over
            return .giveBackAndFail
        }
        return .send
    }

    /// The request is about to be written.
    mutating func sent(on lease: Lease) {
        state = .awaiting(lease)
    }

    // MARK: Response

    mutating func responseHead(_ head: ResponseHead) {
        guard case .awaiting(let lease) = state, !head.isInformational else { return }
        state = .receiving(lease, head, ByteBuffer())
    }

    enum EndAction {
        case succeed(Lease, ExchangeResponse)
        /// No response can come: nothing was sent.
        case failUnsent(UpstreamFailure)
        /// The request is given up: its stream is to be closed.
        case cutOff(Lease, UpstreamFailure)
        /// The stream has ended.
        case fail(Lease, UpstreamFailure)
        case none
    }

    mutating func responseBody(_ bytes: ByteBuffer) -> EndAction {
        guard case .receiving(let lease, let head, var body) = state else { return .none }
        state = .over
        guard body.readableBytes + bytes.readableBytes <= Self.bodyLimit else {
            return .cutOff(lease, .responseTooLarge)
        }
        body.writeImmutableBuffer(bytes)
        state = .receiving(lease, head, body)
        return .none
    }

    mutating func responseEnded() -> EndAction {
        guard case .receiving(let lease, let head, let body) = state else { return .none }
        state = .over
        return .succeed(lease, Self.response(head, body))
    }

    /// Some servers code a body though they were asked not to; one that cannot be decoded stays as it is.
    private static func response(_ head: ResponseHead, _ body: ByteBuffer) -> ExchangeResponse {
        let coding = head.fields.string(of: .contentEncoding) ?? ""
        let decoded = ContentDecoding.decode(body, contentEncoding: coding, limit: bodyLimit) ?? body
        return ExchangeResponse(
            status: head.status,
            fields: head.fields.map { (String(buffer: $0.name), String(buffer: $0.value)) },
            body: [UInt8](buffer: decoded)
        )
    }

    // MARK: The end without a response

    /// The request is given up, or cannot be sent.
    mutating func failed(_ failure: UpstreamFailure) -> EndAction {
        defer { state = .over }
        switch state {
        case .connecting: return .failUnsent(failure)
        case .awaiting(let lease), .receiving(let lease, _, _): return .cutOff(lease, failure)
        case .over: return .none
        }
    }

    /// The upstream has ended the stream.
    mutating func closed(_ reason: UpstreamFailure) -> EndAction {
        switch failed(reason) {
        case .cutOff(let lease, let failure): .fail(lease, failure)
        case let action: action
        }
    }
}
