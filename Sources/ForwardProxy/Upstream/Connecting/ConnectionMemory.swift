import Bytes
import Credentials
import NIOCore
import UpstreamTrust

/// The state that the connections of one event loop, made under one configuration, share, and leave for later ones.
final class ConnectionMemory {
    let turn: EventLoopTurn
    private let clock: any ProxyClock
    private var failedAddresses = FailedAddresses()
    /// The client sides of the TLS that is spoken with other proxies, by proxy. There are a few, as many as the
    /// configuration names.
    private var proxyClients: [(proxy: UpstreamProxy, tls: UpstreamTLS)] = []

    init(turn: EventLoopTurn, clock: any ProxyClock) {
        self.turn = turn
        self.clock = clock
    }

    /// Returns the addresses in the order in which they are to be tried.
    func ordered(_ addresses: [SocketAddress], at time: NIODeadline) -> [SocketAddress] {
        failedAddresses.ordered(addresses, at: time)
    }

    /// Notes that addresses could not be connected to.
    func failed(_ addresses: [SocketAddress], at time: NIODeadline) {
        for address in addresses { failedAddresses.note(address, at: time) }
    }

    /// Notes that an address has been connected to.
    func connected(to address: SocketAddress) { failedAddresses.forget(address) }

    /// The client side of the TLS that is spoken with another proxy.
    ///
    /// - Parameter roots: The roots that its certificate has to lead to.
    func tls(with proxy: UpstreamProxy, trusting roots: TrustRoots) throws -> UpstreamTLS {
        if let known = proxyClients.first(where: { $0.proxy == proxy }) { return known.tls }
        let tls = try UpstreamTLS(
            api: "",
            policy: TLSPolicy(trust: roots),
            monitor: nil,
            clock: clock,
            // CONNECT is asked for by HTTP/1.1 alone.
            protocols: ["http/1.1"]
        )
        proxyClients.append((proxy, tls))
        return tls
    }
}

@available(*, unavailable)
extension ConnectionMemory: Sendable {}

/// The addresses that could not be connected to a short while ago, which are tried after all others of their name.
///
/// None is ever left out, and a connection that succeeds clears its address.
struct FailedAddresses {
    /// The time for which a failure counts.
    static let memory = TimeAmount.seconds(10)
    /// The number of failures that are remembered; the oldest makes room for another.
    static let capacity = 256

    /// The times of the failures.
    private var failures = BoundedCache<SocketAddress, NIODeadline, NIODeadline>(limit: capacity)

    var count: Int { failures.count }

    mutating func note(_ address: SocketAddress, at time: NIODeadline) {
        failures.insert(time, for: address, until: time + Self.memory, at: time)
    }

    mutating func forget(_ address: SocketAddress) {
        if !failures.isEmpty { failures.removeValue(for: address) }
    }

    /// The same addresses: those without a failure in their order, then the others, the one that failed first before.
    func ordered(_ addresses: [SocketAddress], at time: NIODeadline) -> [SocketAddress] {
        if failures.isEmpty { return addresses }
        let failed = addresses.compactMap { address -> (address: SocketAddress, since: NIODeadline)? in
            failures.peek(address, at: time).map { (address, $0) }
        }
        if failed.isEmpty { return addresses }
        let late = Set(failed.map(\.address))
        return addresses.filter { !late.contains($0) } + failed.sorted { $0.since < $1.since }.map(\.address)
    }
}
