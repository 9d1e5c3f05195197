import Bytes
import Credentials
import Logging
import NIOCore
import OAuthSigning
import Routing
import Settings
import UpstreamTrust

/// Sends the requests of token exchanges: through the pool of one event loop, and so under the same TLS policy as
/// every other request to the API.
struct ExchangeTransport: Sendable {
    /// A request, as far as its cancellation is concerned, which may come first.
    private enum Running {
        case awaited
        case started(WholeRequest)
        case cancelled
    }

    let loop: any EventLoop
    private let pool: NIOLoopBound<UpstreamPool>
    private let schemes: [URIScheme]
    private let timeouts: ProxyTimeouts
    private let clock: any ProxyClock

    init(loop: any EventLoop, pool: UpstreamPool, apis: [APIContext], timeouts: ProxyTimeouts, clock: any ProxyClock) {
        self.loop = loop
        self.pool = NIOLoopBound(pool, eventLoop: loop)
        schemes = apis.map(\.settings.upstreamScheme)
        self.timeouts = timeouts
        self.clock = clock
    }

    /// Returns a conversation with an API's provider.
    ///
    /// - Parameters:
    ///   - index: The API's place in the settings.
    ///   - correctsClock: Whether the provider's clock is followed when it refuses this machine's.
    ///   - permit: Called before each request is sent, which is not sent when it throws.
    func conversation(
        with api: APIContext,
        at index: Int,
        correctsClock: Bool,
        logger: Logger,
        permit: @escaping @Sendable (ExchangeRequest) async throws(ExchangeFailure) -> Void = { _ in },
        mayBeSent: @escaping @Sendable () -> Bool = { true }
    ) -> ProviderConversation {
        let clock = APIExchangeClock(api: api, isCorrected: correctsClock, machine: clock, logger: logger)
        return ProviderConversation(clock: clock) { request throws(ExchangeFailure) in
            try await permit(request)
            return try await send(request, api: index, mayBeSent: mayBeSent)
        }
    }

    /// The provider's whole answer.
    ///
    /// - Parameter mayBeSent: Asked on the event loop, right before the request is written.
    /// - Throws: A failure of cause `unreachable` when there is none, or when the task is cancelled.
    func send(
        _ request: ExchangeRequest,
        api: Int,
        mayBeSent: @escaping @Sendable () -> Bool = { true }
    ) async throws(ExchangeFailure) -> ExchangeResponse {
        let destination = request.destination
        let defaultPort = destination.scheme.defaultPort
        guard destination.scheme == schemes[api],
            let authority = try? Authority(parsing: destination.authority, defaultPort: defaultPort)
        else {
            throw ExchangeFailure(step: request.step, status: nil, words: "", cause: .settings)
        }
        let target = UpstreamTarget(kind: .api(api), authority: authority)
        do {
            let running = NIOLoopBoundBox.makeBoxSendingValue(Running.awaited, eventLoop: loop)
            return try await withTaskCancellationHandler {
                try await loop.flatSubmit { [pool, timeouts, clock, loop] in
                    if case .cancelled = running.value {
                        return loop.makeFailedFuture(WholeRequest.Failure(reason: .closed, wasSent: false))
                    }
                    let promise = loop.makePromise(of: ExchangeResponse.self)
                    let exchange = WholeRequest(
                        request: request,
                        connections: pool.value.connections(to: target),
                        timeouts: timeouts,
                        clock: clock,
                        mayBeSent: mayBeSent,
                        promise: promise
                    )
                    running.value = .started(exchange)
                    exchange.start()
                    return promise.futureResult
                }.get()
            } onCancel: {
                loop.execute {
                    if case .started(let exchange) = running.value { exchange.cancel() }
                    running.value = .cancelled
                }
            }
        } catch {
            let failure = error as? WholeRequest.Failure
            if case .responseTooLarge = failure?.reason {
                throw ExchangeFailure(step: request.step, status: nil, words: "", cause: .oversizedAnswer)
            }
            if case .notTrusted(let trust) = failure?.reason {
                var refusal = ExchangeFailure(step: request.step, status: nil, words: trust.detail, cause: .notTrusted)
                refusal.wasSent = false
                throw refusal
            }
            let problem = failure?.reason.problem(authority: "\(authority)")
            var silence = ExchangeFailure(
                step: request.step,
                status: nil,
                words: problem?.detail ?? "\(error)",
                cause: problem?.status == 504 ? .timedOut : .unreachable
            )
            silence.wasSent = failure?.wasSent ?? true
            throw silence
        }
    }
}
