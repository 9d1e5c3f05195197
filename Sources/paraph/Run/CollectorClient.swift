import Bytes
import Credentials
import ForwardProxy
import Glibc
import Logging
import NIOCore
import NIOPosix
import OpenTelemetry
import Routing
import Settings

/// The client of an OpenTelemetry collector, which hands spans to it.
actor CollectorClient {
    private static let step = "export of spans"
    private static let timeouts: ProxyTimeouts = {
        var timeouts = ProxyTimeouts()
        timeouts.connect = .seconds(5)
        timeouts.responseHeader = .seconds(10)
        return timeouts
    }()
    private static let resource: [(String, String)] = [
        ("service.name", "paraph"), ("service.version", BuildInformation.version), ("process.pid", "\(getpid())"),
    ]

    private let logger: Logger
    private var client: (settings: TracingSettings, client: ProviderClient)?
    /// Indicates whether the last batch failed, which is told once.
    private var hasFailed = false
    /// Indicates whether it took the last batch in part only, which is told once.
    private var hasRejected = false

    init(logger: Logger) {
        self.logger = logger
    }

    /// - Returns: The number of spans that the collector has rejected, though it took the request; nil when it took
    ///   none.
    func take(_ spans: [SpanRecord], at settings: TracingSettings) async -> Int? {
        let partial: PartialSuccess
        do {
            let response = try await client(for: settings).send(request(spans, to: settings), api: 0)
            guard 200..<300 ~= response.status else {
                tell("it answered \(response.status)", settings)
                return nil
            }
            partial = PartialSuccess(answer: response.body)
        } catch {
            tell((error as? ExchangeFailure)?.words ?? "\(error)", settings)
            return nil
        }
        if hasFailed { logger.info("the collector of tracing.otlp takes spans again") }
        hasFailed = false
        return tellRejected(partial, of: spans.count, settings)
    }

    private func tellRejected(_ partial: PartialSuccess, of count: Int, _ settings: TracingSettings) -> Int {
        let rejected = min(partial.rejectedSpans, count)
        defer { hasRejected = rejected > 0 }
        guard rejected > 0, !hasRejected else { return rejected }
        logger.warning(
            "the collector of tracing.otlp rejects some of the spans that it is sent, which are counted as dropped",
            metadata: [
                "collector": "\(settings.collector.authority)", "rejected": .stringConvertible(rejected),
                "reason": "\(condensed(partial.message, limit: 400))",
            ]
        )
        return rejected
    }

    private func tell(_ reason: String, _ settings: TracingSettings) {
        guard !hasFailed else { return }
        hasFailed = true
        logger.warning(
            "the collector of tracing.otlp does not take spans, which are dropped and counted",
            metadata: ["collector": "\(settings.collector.authority)", "reason": "\(reason)"]
        )
    }

    private func request(_ spans: [SpanRecord], to settings: TracingSettings) -> ExchangeRequest {
        let base = settings.collector.target
        let target =
            base.hasSuffix(OTLPTraces.path)
            ? base : (base.hasSuffix("/") ? String(base.dropLast()) : base) + OTLPTraces.path
        return ExchangeRequest(
            posting: OTLPTraces.request(spans, resource: Self.resource),
            contentType: OTLPTraces.contentType,
            to: settings.collector.withTarget(Array(target.utf8)),
            step: Self.step
        )
    }

    private func client(for settings: TracingSettings) async throws -> ProviderClient {
        if let client, client.settings == settings { return client.client }
        let url = settings.collector
        let route = APIRoute(
            index: 0,
            name: "tracing",
            hosts: [try HostPattern(url.authority)],
            accounts: [],
            upstreamScheme: url.scheme
        )
        let made = try await ProviderClient(
            apis: [APISettings(route: route, scheme: .bearer(.bearer), accounts: [])],
            networks: NetworkPolicy(denied: []),
            timeouts: Self.timeouts,
            group: MultiThreadedEventLoopGroup.singleton
        )
        client = (settings, made)
        return made
    }
}
