import NIOCore
import NIOPosix
import Routing

/// Resolves a name with the system's resolver, away from the event loop, and withholds denied addresses.
///
/// NIO's own resolver cannot be wrapped, and the check must be on the very addresses that are connected to.
struct SystemResolver: Resolver, Sendable {
    private let ipv4: EventLoopPromise<[SocketAddress]>
    private let ipv6: EventLoopPromise<[SocketAddress]>
    private let networks: NetworkPolicy
    private let threads: NIOThreadPool

    /// - Parameter threads: where the look-ups block; not the pool that anything else waits for.
    init(loop: any EventLoop, networks: NetworkPolicy, threads: NIOThreadPool) {
        self.ipv4 = loop.makePromise()
        self.ipv6 = loop.makePromise()
        self.networks = networks
        self.threads = threads
    }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        ipv4.futureResult
    }

    /// One look-up serves both families, as in NIO's own resolver.
    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        threads.submit { state in
            guard state == .active else { return fail(.nameNotResolved(host: host)) }
            resolve(host: host, port: port)
        }
        return ipv6.futureResult
    }

    func cancelQueries() {}

    private func fail(_ failure: UpstreamFailure) {
        ipv6.fail(failure)
        ipv4.fail(failure)
    }

    private func resolve(host: String, port: Int) {
        let found = SystemAddresses.of(host, port: port)
        guard let first = found.first else { return fail(.nameNotResolved(host: host)) }
        let allowed = found.filter { networks.allows($0) }
        guard !allowed.isEmpty else {
            return fail(.addressDenied(host: host, address: first.ipAddress ?? "an unknown address"))
        }
        ipv6.succeed(allowed.filter { $0.protocol == .inet6 })
        ipv4.succeed(allowed.filter { $0.protocol == .inet })
    }
}
