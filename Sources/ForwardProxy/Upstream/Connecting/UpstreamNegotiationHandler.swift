import NIOCore
import NIOSSL
import NIOTLS
import Settings

/// The last handler of an upstream channel until it may carry a request: until TCP is up and, where there is TLS, the
/// certificate is accepted.
///
/// Then the handler for the version of HTTP that was agreed on takes its place.
final class UpstreamNegotiationHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias Completion = (Result<NegotiatedConnection, UpstreamFailure>) -> Void

    private enum State {
        /// The connection has not been asked for yet.
        case connecting
        case awaited(ConnectionClaim, Completion, timeout: Scheduled<Void>?)
        /// The connection is up, and nobody has asked for it yet.
        case ready(isHTTP2: Bool)
        case failed(UpstreamFailure)
        /// Another handler has taken the place of this one.
        case replaced
    }

    private var state = State.connecting
    private var context: ChannelHandlerContext?
    /// The place where the certificate verification leaves the reason of a refusal; nil without TLS.
    private let verdict: CertificateVerdict?
    /// The error that explains the end of the connection, which may be told later. Independent of the state: it ends the
    /// negotiation only with the connection.
    private var firstError: (any Error)?
    private let terms: UpstreamTerms
    private let turn: EventLoopTurn

    init(_ terms: UpstreamTerms, verdict: CertificateVerdict?, turn: EventLoopTurn) {
        self.terms = terms
        self.verdict = verdict
        self.turn = turn
    }

    /// Begins the negotiation; called once.
    ///
    /// - Parameters:
    ///   - claim: The claim that the connection is counted by.
    ///   - completion: Called once, now or later, when the connection may carry a request or never will.
    func whenReady(countedBy claim: ConnectionClaim, _ completion: @escaping Completion) {
        switch state {
        case .connecting:
            let timeout = context.map { context in
                terms.clock.schedule(in: terms.timeouts.handshake, on: context.eventLoop) { [self] in
                    fail(.handshakeTimeout)
                }
            }
            state = .awaited(claim, completion, timeout: timeout)
        case .ready(let isHTTP2): handOver(toHTTP2: isHTTP2, countedBy: claim, completion)
        case .failed(let failure): completion(.failure(failure))
        case .awaited, .replaced: completion(.failure(.closed))
        }
    }

    private func becomeReady(isHTTP2: Bool) {
        switch state {
        case .connecting: state = .ready(isHTTP2: isHTTP2)
        case .awaited(let claim, let completion, let timeout):
            timeout?.cancel()
            handOver(toHTTP2: isHTTP2, countedBy: claim, completion)
        case .ready, .failed, .replaced: break
        }
    }

    private func handOver(toHTTP2: Bool, countedBy claim: ConnectionClaim, _ completion: Completion) {
        state = .replaced
        guard let context else { return completion(.failure(.closed)) }
        let connection: NegotiatedConnection
        let handler: any ChannelHandler
        if toHTTP2 {
            let http2 = HTTP2UpstreamHandler(terms, verdict: verdict, turn: turn, claim: claim)
            connection = .http2(http2)
            handler = http2
        } else {
            let http1 = UpstreamConnection(terms, verdict: verdict, turn: turn, claim: claim)
            connection = .http1(http1)
            handler = http1
        }
        do {
            try context.pipeline.syncOperations.addHandler(handler, position: .after(self))
        } catch {
            context.close(promise: nil)
            return completion(.failure(.closed))
        }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        completion(.success(connection))
    }

    private func fail(_ failure: UpstreamFailure) {
        let report: Completion?
        switch state {
        case .connecting, .ready: report = nil
        case .awaited(_, let completion, let timeout):
            timeout?.cancel()
            report = completion
        case .failed, .replaced: return
        }
        state = .failed(failure)
        context?.close(promise: nil)
        report?(.failure(failure))
    }

    /// The connection has ended, or failed, before it carried a request.
    private func lost() {
        if case .ready = state { fail(.closed) } else { fail(.connecting(verdict, firstError)) }
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive, verdict == nil { becomeReady(isHTTP2: false) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        lost()
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        if verdict == nil { becomeReady(isHTTP2: false) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted(let negotiated): becomeReady(isHTTP2: negotiated == "h2")
        case ChannelEvent.inputClosed: lost()
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Nothing has been asked for that this could answer.
        if case .ready = state { fail(.closed) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if firstError == nil { firstError = error }
        // The end of the input is told by itself.
        if case NIOSSLError.uncleanShutdown = error { return }
        lost()
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        lost()
        context.fireChannelInactive()
    }
}

@available(*, unavailable)
extension UpstreamNegotiationHandler: Sendable {}

/// An upstream connection that is up, by the version of HTTP that was agreed on.
enum NegotiatedConnection {
    case http1(UpstreamConnection)
    case http2(HTTP2UpstreamHandler)

    /// The certificates that the server presented, and how they were judged; nil without TLS.
    var verdict: CertificateVerdict? {
        switch self {
        case .http1(let connection): connection.verdict
        case .http2(let handler): handler.verdict
        }
    }

    /// Keeps the time that making it took.
    func noteConnectTimes(_ times: ConnectTimes) {
        switch self {
        case .http1(let connection): connection.noteConnectTimes(times)
        case .http2(let handler): handler.noteConnectTimes(times)
        }
    }

    /// Ends it as soon as it carries no request.
    func finish() {
        switch self {
        case .http1(let connection): connection.close()
        case .http2(let handler): handler.finish()
        }
    }
}
