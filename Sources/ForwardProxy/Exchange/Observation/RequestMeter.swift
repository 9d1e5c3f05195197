import Credentials
import HTTP1Codec
import NIOCore
import OAuthSigning
import Routing

/// Counts the requests of one event loop, and keeps what they tell of the health of the APIs.
final class RequestMeter {
    private let metrics: LoopMetrics
    private let apis: [APIContext]
    private let clock: any ProxyClock

    init(metrics: LoopMetrics, apis: [APIContext], clock: any ProxyClock) {
        self.metrics = metrics
        self.apis = apis
        self.clock = clock
    }

    // MARK: Counts

    /// Counts bytes of bodies as they pass.
    func moved(requestBytes: Int = 0, responseBytes: Int = 0) {
        metrics.moved(requestBytes: requestBytes, responseBytes: responseBytes)
    }

    /// Counts a request that is over, or a tunnel that stands.
    ///
    /// - Parameter api: The index of its API; nil: a host of none.
    func ended(_ end: ExchangeRecord.End, _ method: RequestMethod, api: Int?) {
        let api = metrics.api(api)
        api.requestEnded(method, status: end.status)
        api.requestTook(end.time)
        if let firstByte = end.firstByte { api.firstByteTook(firstByte) }
        if let error = end.error { api.answered(error) }
    }

    /// A request has waited for a token.
    func tookToken(_ route: RequestRoute, _ wait: TimeAmount) {
        metrics.api(route.api?.index).tokenTook(wait, account: accountName(of: route))
    }

    /// A request is signed.
    func signed(_ api: Int, by method: SignatureMethod) {
        metrics.api(api).signed(by: method)
    }

    /// A request is sent again.
    func repeated(_ route: RequestRoute, because cause: ExchangeStateMachine.RepeatCause) {
        metrics.api(route.api?.index).repeated(because: cause.rawValue)
    }

    /// The provider has refused a request that this proxy authorized.
    func refused(_ api: Int, because cause: ProviderDiagnosis.Cause) {
        metrics.api(api).refused(by: cause.rawValue)
    }

    /// The other end of a tunnel to a host of no API is connected, or cannot be.
    ///
    /// - Parameter failure: The reason, one of a bounded set; nil: it is connected.
    func tunnelConnected(_ times: ConnectTimes, failure: String? = nil) {
        metrics.api(nil).connected(times, failure: failure)
    }

    /// Counts what goes through a tunnel, as it passes.
    ///
    /// - Parameter near: The client's end.
    func count(_ near: TunnelHandler) {
        metrics.count(near)
    }

    // MARK: The health of the APIs

    /// A final response has come.
    ///
    /// - Parameter isAuthorized: Whether this proxy has authorized its request.
    func noteAnswer(_ response: ResponseHead, on route: RequestRoute, isReused: Bool, isAuthorized: Bool) {
        guard let health = health(of: route) else { return }
        if response.fields.tellsRateLimits {
            health.limited(response.fields, account: accountName(of: route), time: clock.coarseWallSeconds)
        }
        guard health.isTroubled else { return }
        health.answered(
            at: route.authority,
            isReused: isReused,
            account: response.status < 400 && isAuthorized ? accountName(of: route) : nil,
            time: clock.coarseWallSeconds
        )
    }

    /// No response has come.
    ///
    /// - Parameter problem: The reason that the client is told.
    func noteFailure(_ failure: UpstreamFailure, _ problem: Problem, on route: RequestRoute) {
        guard let health = health(of: route), let kind = failure.answer.trouble else { return }
        let sentence = String(problem.detail.prefix { !$0.isNewline })
        health.failed(kind, at: route.authority, time: clock.coarseWallSeconds, sentence)
    }

    /// The provider has refused the signature or the token.
    func noteRefusal(_ sentence: String, status: Int, on route: RequestRoute) {
        guard let health = health(of: route), let name = accountName(of: route) else { return }
        health.refused(name, status: status, time: clock.coarseWallSeconds, sentence)
    }

    private func health(of route: RequestRoute) -> APIHealth? { route.api.map { apis[$0.index].health } }

    private func accountName(of route: RequestRoute) -> String? {
        route.accountReference.map { apis[$0.api].name(of: $0) }
    }
}

@available(*, unavailable)
extension RequestMeter: Sendable {}
