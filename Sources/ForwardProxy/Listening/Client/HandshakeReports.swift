import CoreMetrics
import Logging
import NIOCore
import PrometheusMetrics
import Routing

/// Tells of the TLS handshakes of one event loop's clients that led to nothing: counts them, and logs them.
///
/// A client that does not trust the local CA is the commonest trouble of all: it is told, but of each client and host not
/// once a request, unless everything is.
final class HandshakeReports {
    let clock: any ProxyClock
    private let untrustingClients: Counter
    private let probablyUntrustingClients: Counter
    private let otherFailures: Counter
    private var logger: Logger
    private var rate = RateLimiter()
    private let shutdown: LoopShutdown

    /// - Parameters:
    ///   - logger: The one of the present configuration's worker, which keeps its lines in order with those of the access
    ///     log.
    ///   - shutdown: Once that has begun, clients may end their connections because the proxy does.
    init(clock: any ProxyClock, registry: MetricsRegistry, logger: Logger, shutdown: LoopShutdown) {
        self.clock = clock
        self.logger = logger
        self.shutdown = shutdown
        func counter(_ cause: String) -> Counter {
            Counter(label: ProxyMetrics.failedHandshakes.name, dimensions: [("cause", cause)], factory: registry)
        }
        untrustingClients = counter("untrusted")
        probablyUntrustingClients = counter("probably_untrusted")
        otherFailures = counter("other")
    }

    /// Another configuration is in force, under which clients may trust another CA: everything is new.
    func configurationChanged(logger: Logger) {
        self.logger = logger
        rate = RateLimiter()
    }

    /// Notes that a client has closed an intercepted connection right after the handshake, without a request.
    ///
    /// - Parameter address: The client's; nil where it is not known.
    func closedAfterHandshake(authority: Authority, address: SocketAddress?) {
        guard !shutdown.hasBegun else { return }
        let reason = "the client closed the connection right after the handshake, without a request"
        failed(.probablyUntrusting(reason: reason), authority: authority, address: address)
    }

    /// Notes that a handshake has failed.
    ///
    /// - Parameters:
    ///   - authority: The intercepted one; nil: the client spoke to the proxy itself.
    ///   - address: The client's; nil where it is not known.
    func failed(_ failure: ClientHandshakeFailure, authority: Authority?, address: SocketAddress?) {
        let untrusted = authority == nil ? "the proxy's certificate (listen.proxy.certificate)" : "the local CA"
        let (message, reason, isAboutTrust, counter) =
            switch failure {
            case .untrusting(let reason):
                (
                    "a client broke off the TLS handshake: it does not trust \(untrusted)", reason, true,
                    untrustingClients
                )
            case .probablyUntrusting(let reason):
                (
                    "a client broke off the TLS handshake: it probably does not trust \(untrusted)", reason, true,
                    probablyUntrustingClients
                )
            case .other(let reason): ("the TLS handshake with a client failed", reason, false, otherFailures)
            }
        counter.increment()
        let key = "\(PeerAddress(address)) \(authority?.host ?? "")"
        let isNew = rate.permits(key, now: clock.now)
        guard isNew || logger.logLevel <= .debug else { return }
        var metadata: Logger.Metadata = ["reason": "\(reason)"]
        if let authority { metadata["host"] = "\(authority.host)" } else { metadata["listener"] = "proxy" }
        if let address = address?.ipAddress { metadata["address"] = "\(address)" }
        if isAboutTrust {
            metadata["advice"] =
                authority == nil
                ? "have the client trust the CA that issued it"
                : "start the client with the variables that paraph env prints, or have it trust what paraph ca export writes"
        }
        logger.log(level: isNew ? .warning : .debug, "\(message)", metadata: metadata)
    }
}

@available(*, unavailable)
extension HandshakeReports: Sendable {}
