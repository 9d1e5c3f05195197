import Credentials
import HTTP1Codec
import NIOCore
import NIOPosix
import NIOSSL
import Routing

/// Opens upstream connections: resolve, check the address, connect, and for TLS shake hands and verify.
struct UpstreamConnector {
    let loop: any EventLoop
    let networks: NetworkPolicy
    let resolverThreads: NIOThreadPool
    let timeouts: ProxyTimeouts
    let limits: MessageLimits

    /// Whether its connections are to the same addresses, and have the same limits.
    func connectsLike(_ other: UpstreamConnector) -> Bool {
        networks == other.networks && timeouts == other.timeouts && limits == other.limits
    }

    /// A connection whose octets go to `authority`, or to `connectTo` where that is set: a TCP connection, or a tunnel
    /// through another proxy.
    ///
    /// Fails with ``UpstreamFailure``.
    func connect(
        to authority: Authority,
        connectTo: Authority?,
        through proxy: UpstreamProxy?,
        initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<any Channel> {
        let destination = connectTo ?? authority
        guard let proxy else {
            return connect(host: destination.host, port: destination.port, initializer: initializer)
        }
        // Where a name leads to is the other proxy's business; an address is known already.
        if let address = try? SocketAddress(ipAddress: destination.host, port: destination.port),
            !networks.allows(address)
        {
            return loop.makeFailedFuture(
                UpstreamFailure.addressDenied(host: destination.host, address: destination.host)
            )
        }
        // A channel is made for each address of the proxy that is tried.
        let opened = NIOLoopBoundBox([ObjectIdentifier: EventLoopFuture<Void>](), eventLoop: loop)
        let channel = connect(host: proxy.host, port: proxy.port) { [timeouts, limits] channel in
            channel.eventLoop.makeCompletedFuture {
                let handler = ProxyConnectHandler(
                    proxy: proxy,
                    destination: destination,
                    limits: limits,
                    timeout: timeouts.connect,
                    loop: channel.eventLoop
                )
                opened.value[ObjectIdentifier(channel)] = handler.opened
                try channel.pipeline.syncOperations.addHandler(handler)
            }.flatMap { initializer(channel) }
        }
        return channel.flatMapErrorThrowing { error in
            let failure = UpstreamFailure(connecting: error, host: proxy.host)
            if case .connectTimeout = failure { throw UpstreamFailure.upstreamProxyTimeout(proxy: "\(proxy)") }
            throw UpstreamFailure.upstreamProxyUnreachable(proxy: "\(proxy)", failure.words)
        }.flatMap { channel in
            let tunnel = opened.value[ObjectIdentifier(channel)] ?? channel.eventLoop.makeSucceededVoidFuture()
            return tunnel.map { channel }
        }
    }

    private func connect(
        host: String,
        port: Int,
        initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<any Channel> {
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(timeouts.connect)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer(initializer)
        let future: EventLoopFuture<any Channel>
        if let address = try? SocketAddress(ipAddress: host, port: port) {
            guard networks.allows(address) else {
                return loop.makeFailedFuture(UpstreamFailure.addressDenied(host: host, address: host))
            }
            future = bootstrap.connect(to: address)
        } else {
            future =
                bootstrap
                .resolver(SystemResolver(loop: loop, networks: networks, threads: resolverThreads))
                .connect(host: host, port: port)
        }
        return future.flatMapErrorThrowing { throw UpstreamFailure(connecting: $0, host: host) }
    }

    /// A connection that may carry a request to `authority`: TCP, and with `tls` also TLS and its verification.
    ///
    /// - Parameters:
    ///   - http1: whether HTTP/1.1 alone is offered.
    ///   - completion: called once, on the loop.
    func open(
        to authority: Authority,
        connectTo: Authority?,
        through proxy: UpstreamProxy?,
        tls: UpstreamTLS?,
        http1: Bool,
        completion: @escaping (Result<NegotiatedConnection, UpstreamFailure>) -> Void
    ) {
        let completion = NIOLoopBound(completion, eventLoop: loop)
        let channel = connect(to: authority, connectTo: connectTo, through: proxy) { [self] channel in
            // Called for each address that is tried: a handler belongs to one channel only.
            channel.eventLoop.makeCompletedFuture {
                let verdict = tls == nil ? nil : CertificateVerdict()
                if let tls, let verdict {
                    let handler = try tls.handler(
                        authority: authority,
                        verdict: verdict,
                        loop: channel.eventLoop,
                        http1: http1
                    )
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
                let connection = UpstreamConnection(
                    limits: limits,
                    timeouts: timeouts,
                    verdict: verdict
                )
                try channel.pipeline.syncOperations.addHandler(connection)
            }
        }
        channel.assumeIsolated().whenComplete { result in
            switch result {
            case .failure(let error):
                completion.value(.failure(UpstreamFailure(connecting: error, host: authority.host)))
            case .success(let channel):
                do {
                    let connection = try channel.pipeline.syncOperations.handler(type: UpstreamConnection.self)
                    connection.whenReady(completion.value)
                } catch {
                    completion.value(.failure(.closed))
                }
            }
        }
    }
}
