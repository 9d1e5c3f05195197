import Bytes
import Credentials
import HTTP1Codec
import NIOCore
import NIOSSL
import Routing
import Settings
import UpstreamTrust

/// Opens upstream connections: resolve, check the address, connect, and for TLS shake hands and verify.
struct UpstreamConnector {
    /// TLS as it is offered on one connection.
    struct TLSOffer {
        let tls: UpstreamTLS
        /// Indicates whether HTTP/1.1 alone is offered.
        let isOfHTTP1: Bool
    }

    let loop: any EventLoop
    private(set) var networks: NetworkPolicy
    private let otherHostsNetworks: NetworkPolicy
    /// The policy for what the configuration has: where other proxies are is the operator's word, whatever is reached
    /// through them.
    private let configuredNetworks: NetworkPolicy
    private let ownListeners: OwnListeners
    private let names: NameResolvers
    private var lookups: NameLookups
    let terms: UpstreamTerms
    private let memory: NIOLoopBoundBox<ConnectionMemory>

    /// - Parameters:
    ///   - loop: Does all the work.
    ///   - networks: The addresses that may be connected to for hosts of APIs.
    ///   - otherHostsNetworks: The same for hosts of no API; nil: likewise.
    ///   - ownListeners: This process's listeners, which are not connected to either.
    ///   - names: Looks names up.
    init(
        loop: any EventLoop,
        networks: NetworkPolicy,
        otherHostsNetworks: NetworkPolicy? = nil,
        ownListeners: OwnListeners = OwnListeners(),
        names: NameResolvers,
        terms: UpstreamTerms
    ) {
        self.loop = loop
        self.networks = networks
        configuredNetworks = networks
        self.otherHostsNetworks = otherHostsNetworks ?? networks
        self.ownListeners = ownListeners
        self.names = names
        lookups = names.configured
        self.terms = terms
        memory = .makeBoxSendingValue(
            ConnectionMemory(turn: EventLoopTurn(loop: loop), clock: terms.clock),
            eventLoop: loop
        )
    }

    /// Returns whether its connections are to the same addresses, and have the same limits.
    func connectsLike(_ other: UpstreamConnector) -> Bool {
        networks == other.networks && terms.timeouts == other.terms.timeouts
            && terms.messageLimits == other.terms.messageLimits
    }

    /// The same for a host of an API whose name a client has chosen.
    var forChosenNames: UpstreamConnector {
        var connector = self
        connector.lookups = names.others
        return connector
    }

    /// The same for hosts of no API.
    var forOtherHosts: UpstreamConnector {
        var connector = self
        connector.networks = otherHostsNetworks
        connector.lookups = names.others
        return connector
    }

    /// A connection whose bytes go to a destination: a TCP connection, or a tunnel through another proxy.
    ///
    /// - Parameters:
    ///   - holder: The one whom the look-up of the destination's name is counted for.
    ///   - dial: Gives it up, before it is connected, with the client that waits for it; nil: nobody does.
    ///   - stopwatch: The stopwatch that takes the time at which the name is resolved.
    /// - Returns: Fails with ``UpstreamFailure``.
    func connect(
        to destination: UpstreamDestination,
        for holder: NameLookupHolder,
        dial: ClientDial? = nil,
        stopwatch: NIOLoopBound<ConnectStopwatch>? = nil,
        initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<any Channel> {
        let reached = destination.connectTo ?? destination.authority
        guard let proxy = destination.proxy else {
            let pending = lookUp(reached.host, reached.port, by: lookups, for: holder, dial)
            return connect(
                to: pending,
                of: reached.host,
                port: reached.port,
                by: lookups,
                in: networks,
                stopwatch,
                initializer: initializer
            )
        }
        // Where a name leads to is the other proxy's business; an address is known already.
        let literal = reached.host == "localhost" ? "127.0.0.1" : reached.host
        if let address = SocketAddress(literal: literal, port: reached.port) {
            let host = reached.host
            if let failure = objection(to: address, of: host, in: networks) { return loop.makeFailedFuture(failure) }
            // The other proxy may be on this machine too.
            if ownListeners.includes(address) {
                return loop.makeFailedFuture(UpstreamFailure.ownListener(host: host, address: address.urlText))
            }
        }
        // A channel is made for each address of the proxy that is tried.
        let opened = NIOLoopBoundBox([ObjectIdentifier: EventLoopFuture<Void>](), eventLoop: loop)
        let names = names.configured
        let pending = lookUp(proxy.host, proxy.port, by: names, for: .upstreamProxy, dial)
        let channel = connect(
            to: pending,
            of: proxy.host,
            port: proxy.port,
            by: names,
            in: configuredNetworks,
            stopwatch
        ) { [self] channel in
            channel.eventLoop.makeCompletedFuture {
                let handler = ProxyConnectHandler(
                    proxy: proxy,
                    destination: reached,
                    limits: terms.messageLimits,
                    timeout: terms.timeouts.connect,
                    clock: terms.clock,
                    loop: channel.eventLoop
                )
                opened.value[ObjectIdentifier(channel)] = handler.opened
                if let roots = proxy.trust { try addTLS(with: proxy, trusting: roots, to: channel) }
                try channel.pipeline.syncOperations.addHandler(handler)
            }.flatMap { initializer(channel) }
        }
        return channel.flatMapErrorThrowing { error in
            let failure = UpstreamFailure(connecting: error, host: proxy.host)
            if case .connectTimeout = failure { throw UpstreamFailure.upstreamProxy("\(proxy)", .timeout) }
            throw UpstreamFailure.upstreamProxy("\(proxy)", .unreachable(failure.answer.reasonAtProxy))
        }.flatMap { channel in
            let tunnel = opened.value[ObjectIdentifier(channel)] ?? channel.eventLoop.makeSucceededVoidFuture()
            return tunnel.map { channel }
        }
    }

    /// Adds TLS with the proxy itself, below everything else of the channel.
    private func addTLS(with proxy: UpstreamProxy, trusting roots: TrustRoots, to channel: any Channel) throws {
        let verdict = CertificateVerdict()
        let tls = try memory.value.tls(with: proxy, trusting: roots)
        try channel.pipeline.syncOperations.addHandlers(
            tls.handler(
                authority: Authority(parsing: "\(proxy)", defaultPort: nil),
                verdict: verdict,
                loop: channel.eventLoop
            ),
            ProxyTLSHandler(proxy: proxy, verdict: verdict, timeout: terms.timeouts.handshake, clock: terms.clock)
        )
    }

    /// The addresses of a host, which may be an address itself.
    private func lookUp(
        _ host: String,
        _ port: Int,
        by lookups: NameLookups,
        for holder: NameLookupHolder,
        _ dial: ClientDial?
    ) -> EventLoopFuture<[SocketAddress]> {
        if let address = SocketAddress(literal: host, port: port) { return loop.makeSucceededFuture([address]) }
        let pending = lookups.addresses(of: host, port: port, for: holder, limit: terms.timeouts.connect, on: loop)
        dial?.begin(pending)
        return pending.addresses
    }

    /// Moves a look-up that somebody else has asked for to the line of `holder` where that is shorter.
    func joinLookup(of authority: Authority, for holder: NameLookupHolder) {
        lookups.join(authority.host, port: authority.port, for: holder)
    }

    /// A TCP connection, to an address that may be connected to.
    private func connect(
        to addresses: EventLoopFuture<[SocketAddress]>,
        of host: String,
        port: Int,
        by lookups: NameLookups,
        in networks: NetworkPolicy,
        _ stopwatch: NIOLoopBound<ConnectStopwatch>?,
        initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<any Channel> {
        let deadline = terms.clock.now + terms.timeouts.connect
        return addresses.flatMap { addresses in
            stopwatch?.value.nameResolved()
            let connected = connect(to: addresses, of: host, in: networks, by: deadline, initializer: initializer)
            // The name may lead elsewhere by the next time.
            connected.whenFailure { _ in lookups.forget(host, port: port) }
            return connected
        }
    }

    private func connect(
        to addresses: [SocketAddress],
        of host: String,
        in networks: NetworkPolicy,
        by deadline: NIODeadline,
        initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<any Channel> {
        let allowed = addresses.filter { objection(to: $0, of: host, in: networks) == nil }
        guard !allowed.isEmpty else {
            let failure = addresses.first.flatMap { objection(to: $0, of: host, in: networks) }
            return loop.makeFailedFuture(failure ?? .nameNotResolved(host: host))
        }
        let others = allowed.filter { !ownListeners.includes($0) }
        guard !others.isEmpty else {
            return loop.makeFailedFuture(UpstreamFailure.ownListener(host: host, address: allowed[0].urlText))
        }
        return AddressConnector(
            host: host,
            addresses: others,
            deadline: deadline,
            clock: terms.clock,
            memory: memory.value,
            loop: loop,
            initializer: initializer
        ).connect()
    }

    /// Returns why an address is not connected to. Only IP addresses are.
    private func objection(
        to address: SocketAddress,
        of host: String,
        in networks: NetworkPolicy
    ) -> UpstreamFailure? {
        let text = address.ipAddress ?? "an unknown address"
        switch IPAddress(address).map(networks.judge) {
        case .permitted: return nil
        case .isPrivate: return .addressIsPrivate(host: host, address: text)
        case .denied, nil: return .addressDenied(host: host, address: text)
        }
    }

    /// A connection that may carry a request to a destination: TCP, and with `tls` also TLS and its verification.
    ///
    /// - Parameters:
    ///   - holder: The one whom the look-up of the name is counted for.
    ///   - dial: Gives it up, before it is connected, with the client that waits for it; nil: others may use it.
    ///   - claim: The claim that the connection is counted by, which is released at its end.
    ///   - metrics: The metrics that the time it took is counted in; nil: none.
    ///   - completion: Called once, on the loop.
    func open(
        to destination: UpstreamDestination,
        tls offer: TLSOffer?,
        for holder: NameLookupHolder,
        dial: ClientDial?,
        claim: ConnectionClaim,
        metrics: APIMetrics?,
        completion: @escaping (Result<NegotiatedConnection, FailedConnection>) -> Void
    ) {
        let completion = NIOLoopBound(completion, eventLoop: loop)
        let boundDial = dial.map { NIOLoopBound($0, eventLoop: loop) }
        let stopwatch = ConnectStopwatch(clock: terms.clock)
        let channel = connect(
            to: destination,
            for: holder,
            dial: dial,
            stopwatch: NIOLoopBound(stopwatch, eventLoop: loop)
        ) { [self] channel in
            // Called for each address that is tried: a handler belongs to one channel only.
            let begun = boundDial?.value.begin(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
            return begun.flatMapThrowing {
                let verdict = offer == nil ? nil : CertificateVerdict()
                if let offer, let verdict {
                    let handler = try offer.tls.handler(
                        authority: destination.authority,
                        verdict: verdict,
                        loop: channel.eventLoop,
                        http1: offer.isOfHTTP1
                    )
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
                let negotiation = UpstreamNegotiationHandler(terms, verdict: verdict, turn: memory.value.turn)
                try channel.pipeline.syncOperations.addHandler(negotiation)
            }
        }
        channel.assumeIsolated().whenComplete { result in
            switch result {
            case .failure(let error):
                claim.release()
                stopwatch.failed()
                let failure = UpstreamFailure(connecting: error, host: destination.authority.host)
                metrics?.connected(stopwatch.times, failure: failure.label(dial))
                completion.value(.failure(FailedConnection(failure, times: stopwatch.times)))
            case .success(let channel):
                stopwatch.connected()
                channel.closeFuture.assumeIsolated().whenComplete { _ in claim.release() }
                do {
                    let handlers = channel.pipeline.syncOperations
                    let negotiation = try handlers.handler(type: UpstreamNegotiationHandler.self)
                    negotiation.whenReady(countedBy: claim) { result in
                        if offer != nil { stopwatch.secured() }
                        switch result {
                        case .success(let connection):
                            connection.noteConnectTimes(stopwatch.times)
                            metrics?.connected(stopwatch.times)
                        case .failure(let failure):
                            metrics?.connected(stopwatch.times, failure: failure.label(dial))
                        }
                        completion.value(result.mapError { FailedConnection($0, times: stopwatch.times) })
                    }
                } catch {
                    completion.value(.failure(FailedConnection(.closed, times: stopwatch.times)))
                }
            }
        }
    }
}
