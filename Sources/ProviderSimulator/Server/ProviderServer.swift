import FoundationEssentials
import HummingbirdCore
import HummingbirdTLS
package import Logging
package import NIOCore
import NIOSSL
import ServiceLifecycle
import Synchronization

/// The provider as a server: HTTP/1.1 over TLS on loopback, on a port of the kernel's choice.
package struct ProviderServer: Service {
    package let provider: OAuthProvider
    package let certificates: ProviderCertificates
    private let host: String
    private let group: any EventLoopGroup
    private let logger: Logger
    private let clock: @Sendable () -> UInt64
    private let tls: TLSConfiguration
    private let bound = BoundAddress()

    /// - Parameters:
    ///   - host: A loopback address.
    ///   - clock: Seconds since 1970.
    package init(
        provider: OAuthProvider,
        certificates: ProviderCertificates,
        host: String = "127.0.0.1",
        group: any EventLoopGroup,
        logger: Logger,
        clock: @escaping @Sendable () -> UInt64 = { UInt64(max(0, Date().timeIntervalSince1970)) }
    ) throws {
        self.provider = provider
        self.certificates = certificates
        self.host = host
        self.group = group
        self.logger = logger
        self.clock = clock
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try certificates.chainDER.map {
                .certificate(try NIOSSLCertificate(bytes: $0, format: .der))
            },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: certificates.leafKeyDER, format: .der))
        )
        tls.minimumTLSVersion = .tlsv12
        tls.applicationProtocols = ["http/1.1"]
        self.tls = tls
    }

    /// The address that it listens at. Waits until ``run()`` has come so far, and throws what kept it from it.
    package var address: SocketAddress {
        get async throws { try await bound.value }
    }

    /// Serves until a graceful shutdown or the cancellation of the task.
    package func run() async throws {
        let responder = ProviderResponder(provider: provider, clock: clock)
        let server = try HTTPServerBuilder.tls(.http1(), tlsConfiguration: tls).buildServer(
            configuration: ServerConfiguration(address: .hostname(host, port: 0)),
            eventLoopGroup: group,
            logger: logger
        ) { request, writer, channel in
            let response = try await responder.respond(to: request, channel: channel)
            try await writer.write(response: response.head, body: response.body)
        } onServerRunning: { [bound] channel in
            guard let address = channel.localAddress else {
                return bound.settle(.failure(ChannelError.unknownLocalAddress))
            }
            bound.settle(.success(address))
        }
        do {
            try await server.run()
            bound.settle(.failure(ChannelError.alreadyClosed))
        } catch {
            bound.settle(.failure(error))
            throw error
        }
    }
}

extension ProviderServer: CustomStringConvertible {
    package var description: String { "provider" }
}

/// An address that is known once the server listens; any number of tasks may wait for it.
private final class BoundAddress: Sendable {
    private enum State {
        case unknown(waiters: [CheckedContinuation<SocketAddress, any Error>])
        case known(Result<SocketAddress, any Error>)
    }

    private let state = Mutex(State.unknown(waiters: []))

    var value: SocketAddress {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                let known = state.withLock { state -> Result<SocketAddress, any Error>? in
                    switch state {
                    case .known(let result): return result
                    case .unknown(let waiters):
                        state = .unknown(waiters: waiters + [continuation])
                        return nil
                    }
                }
                if let known { continuation.resume(with: known) }
            }
        }
    }

    /// The first call settles it.
    func settle(_ result: Result<SocketAddress, any Error>) {
        let waiters = state.withLock { state -> [CheckedContinuation<SocketAddress, any Error>] in
            guard case .unknown(let waiters) = state else { return [] }
            state = .known(result)
            return waiters
        }
        for waiter in waiters { waiter.resume(with: result) }
    }
}
