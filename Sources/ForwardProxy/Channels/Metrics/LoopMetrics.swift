import CoreMetrics
import NIOCore
import PrometheusMetrics

/// The metrics of one event loop, under one configuration. What another configuration counted in the same registry goes
/// on.
final class LoopMetrics {
    private let apis: [APIMetrics]
    private let noAPI: APIMetrics
    private let requestBytes: Counter
    private let responseBytes: Counter

    /// - Parameters:
    ///   - apis: The names, in the order of the settings.
    ///   - accounts: The names of accounts as labels; nil: accounts are not named.
    init(registry: MetricsRegistry, apis: [String], accounts: AccountLabels?) {
        self.apis = apis.map { APIMetrics(api: $0, registry: registry, accounts: accounts) }
        noAPI = APIMetrics(api: "", registry: registry, accounts: nil)
        func bytes(_ direction: String) -> Counter {
            Counter(label: ProxyMetrics.bytes.name, dimensions: [("direction", direction)], factory: registry)
        }
        requestBytes = bytes("request")
        responseBytes = bytes("response")
    }

    /// - Parameter index: The index of the API in the settings; nil: a host of no API.
    func api(_ index: Int?) -> APIMetrics { index.map { apis[$0] } ?? noAPI }

    /// Counts bytes of bodies as they pass.
    func moved(requestBytes: Int = 0, responseBytes: Int = 0) {
        if requestBytes > 0 { self.requestBytes.increment(by: requestBytes) }
        if responseBytes > 0 { self.responseBytes.increment(by: responseBytes) }
    }

    /// Counts what goes through a tunnel, as it passes.
    ///
    /// - Parameter near: The client's end.
    func count(_ near: TunnelHandler) { near.count(received: requestBytes, receivedByPartner: responseBytes) }
}

@available(*, unavailable)
extension LoopMetrics: Sendable {}
