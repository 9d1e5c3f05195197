package import Credentials
import HTTP1Codec
package import NIOCore
import NIOTLS
package import Routing
package import Settings
package import UpstreamTrust

/// Looks at the certificates that a server presents, over the way that requests to it take, without sending a request.
package struct UpstreamProbe: Sendable {
    private let connector: UpstreamConnector

    /// - Parameters:
    ///   - networks: The addresses that may be connected to.
    ///   - group: The group whose next event loop does all the work.
    package init(networks: NetworkPolicy, timeouts: ProxyTimeouts, group: any EventLoopGroup) {
        connector = UpstreamConnector(
            loop: group.next(),
            networks: networks,
            names: NameResolvers(ofCommand: SystemClock.shared),
            terms: UpstreamTerms(messageLimits: MessageLimits(), timeouts: timeouts, clock: SystemClock.shared)
        )
    }

    /// Shakes hands with a server and closes the connection.
    ///
    /// - Parameters:
    ///   - connectTo: The place to connect to; nil: the host of `authority` is resolved.
    ///   - policy: The one that the chain is judged by.
    /// - Throws: When no certificate was seen at all.
    package func probe(
        _ authority: Authority,
        connectTo: Authority? = nil,
        tls policy: TLSPolicy,
        upstreamProxy: UpstreamProxy? = nil
    ) async throws(UpstreamProbeError) -> ProbedServer {
        do {
            let tls = try UpstreamTLS(api: "", policy: policy, monitor: nil, clock: connector.terms.clock)
            let destination = UpstreamDestination(authority: authority, connectTo: connectTo, proxy: upstreamProxy)
            let presented = try await presentedDER(destination, tls)
            return ProbedServer(presentedDER: presented, decision: await tls.decide(presented, of: authority))
        } catch let failure as UpstreamFailure {
            throw UpstreamProbeError(sentence: failure.problem(authority: "\(authority)").detail)
        } catch {
            throw UpstreamProbeError(sentence: "The TLS policy of \(authority) cannot be carried out: \(error)")
        }
    }

    private func presentedDER(_ destination: UpstreamDestination, _ tls: UpstreamTLS) async throws -> [[UInt8]] {
        try await connector.loop.flatSubmit { [connector] in
            let loop = connector.loop
            let promise = loop.makePromise(of: [[UInt8]].self)
            let authority = destination.authority
            let connected = connector.connect(to: destination, for: .api("")) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let verdict = CertificateVerdict()
                    let handler = try tls.handler(authority: authority, verdict: verdict, loop: channel.eventLoop)
                    try channel.pipeline.syncOperations.addHandlers(handler, HandshakeProbeHandler(verdict: verdict))
                }
            }
            connected.whenComplete { result in
                switch result {
                case .failure(let error): promise.fail(UpstreamFailure(connecting: error, host: authority.host))
                case .success(let channel):
                    do {
                        let handler = try channel.pipeline.syncOperations.handler(type: HandshakeProbeHandler.self)
                        let terms = connector.terms
                        handler.report(to: promise, timeout: terms.timeouts.handshake, clock: terms.clock)
                    } catch {
                        promise.fail(UpstreamFailure.closed)
                    }
                }
            }
            return promise.futureResult
        }.get()
    }
}

/// The certificates that a server presented, and what a policy has to say of them.
package struct ProbedServer: Sendable {
    /// The DER of the certificates, the server's own first.
    package let presentedDER: [[UInt8]]
    package let decision: TrustDecision
}

/// The reason why a server's certificates could not be looked at.
package struct UpstreamProbeError: Error, Equatable, CustomStringConvertible {
    /// A sentence for the person who asked: what went wrong, where, and what to do next.
    package let sentence: String

    package var description: String { sentence }
}
