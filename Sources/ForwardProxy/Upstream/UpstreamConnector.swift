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

    /// A TCP connection to `authority`, or to `connectTo` where that is set.
    ///
    /// Fails with ``UpstreamFailure``.
    func connect(
        to authority: Authority,
        connectTo: Authority?,
        initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<any Channel> {
        let destination = connectTo ?? authority
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(timeouts.connect)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer(initializer)
        let host = destination.host
        let future: EventLoopFuture<any Channel>
        if let address = try? SocketAddress(ipAddress: host, port: destination.port) {
            guard networks.allows(address) else {
                return loop.makeFailedFuture(UpstreamFailure.addressDenied(host: host, address: host))
            }
            future = bootstrap.connect(to: address)
        } else {
            future =
                bootstrap
                .resolver(SystemResolver(loop: loop, networks: networks, threads: resolverThreads))
                .connect(host: host, port: destination.port)
        }
        return future.flatMapErrorThrowing { throw UpstreamFailure(connecting: $0, host: host) }
    }

    /// A connection that may carry a request to `authority`: TCP, and with `tls` also TLS and its verification.
    ///
    /// - Parameter completion: called once, on the loop.
    func open(
        to authority: Authority,
        connectTo: Authority?,
        tls: UpstreamTLS?,
        completion: @escaping (Result<UpstreamConnection, UpstreamFailure>) -> Void
    ) {
        let completion = NIOLoopBound(completion, eventLoop: loop)
        let channel = connect(to: authority, connectTo: connectTo) { [self] channel in
            // Called for each address that is tried: a handler belongs to one channel only.
            channel.eventLoop.makeCompletedFuture {
                let verdict = tls == nil ? nil : CertificateVerdict()
                if let tls, let verdict {
                    let handler = try tls.handler(host: authority.host, verdict: verdict, loop: channel.eventLoop)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
                let connection = UpstreamConnection(limits: limits, timeouts: timeouts, verdict: verdict)
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
