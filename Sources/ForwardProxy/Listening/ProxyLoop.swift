import HTTP1Codec
import Inspection
import NIOCore
import PrometheusMetrics
import Routing
import Settings

/// The parts that last on one event loop however often the configuration is read again: the connections of clients, and
/// the worker that serves their next requests.
final class ProxyLoop: UpstreamPool.OtherConnections {
    let loop: any EventLoop
    let clock: any ProxyClock
    private(set) var worker: ProxyWorker
    let scratch = ResponseScratch()
    let turn: EventLoopTurn
    let handshakes: HandshakeReports
    private(set) var clients = ClientSet()
    private(set) var tunnels = TunnelSet()
    private var unnamedHeads = UnnamedHeads()
    private let idleClients: IdleClients
    /// The parts of the other event loops.
    private var siblings: [NIOLoopBound<ProxyLoop>] = []
    /// Follows the searches of the other event loops for what is idle.
    private var pause = SearchPause()
    private let shutdown = LoopShutdown()
    /// The usage of the address that came last: most come again, and it would else be made anew for each connection.
    private var latest: (peer: PeerAddress, usage: ClientUsage)?
    /// The workers that were replaced, and are still in use by requests that began with them.
    private var retiring: [ProxyWorker] = []

    /// - Parameter registry: That of the event loop.
    init(worker: ProxyWorker, registry: MetricsRegistry) {
        loop = worker.loop
        clock = worker.clock
        turn = EventLoopTurn(loop: worker.loop)
        self.worker = worker
        handshakes = HandshakeReports(
            clock: clock,
            registry: registry,
            logger: worker.logger,
            shutdown: shutdown
        )
        idleClients = IdleClients(clock: clock)
        worker.pool.setOthers(self)
    }

    /// - Parameter siblings: The parts of the other event loops.
    func join(_ siblings: [NIOLoopBound<ProxyLoop>]) {
        self.siblings = siblings
    }

    func closeIdle(of client: ClientUsage) -> Bool { idleClients.closeOne(of: client, among: clients) }

    /// Closes an upstream connection of another event loop that is idle, so that a client can have one in its place.
    ///
    /// - Returns: False when there is none.
    func closeIdleElsewhere(for usage: ClientUsage) -> EventLoopFuture<Bool> {
        if pause.holds(for: usage, at: clock.coarseNow) { return loop.makeSucceededFuture(false) }
        var found = loop.makeSucceededFuture(false)
        for sibling in siblings {
            found = found.flatMap { [loop] isClosed in
                guard !isClosed else { return loop.makeSucceededFuture(true) }
                return sibling.eventLoop.submit { sibling.value.worker.pool.closeOneIdleAnywhere(for: usage) }
                    .hop(to: loop)
            }
        }
        found.assumeIsolated().whenSuccess { [self] isClosed in
            pause.searched(for: usage, found: isClosed, at: clock.coarseNow)
        }
        return found
    }

    /// The times that waits have which begin now. Nobody keeps them: a reload changes those of the waits after it, on
    /// connections that are open as well.
    var timeouts: ProxyTimeouts { worker.settings.timeouts }

    /// Returns what is counted for whoever is at an address.
    func usage(of peer: PeerAddress) -> ClientUsage {
        if let latest, latest.peer == peer { return latest.usage }
        let usage = worker.usages.usage(of: .peer(peer))
        latest = (peer, usage)
        return usage
    }

    /// Begins to serve requests by another worker; those in flight keep theirs.
    ///
    /// - Parameter onUnused: Called once, on the loop, when the last request of the present worker is over.
    /// - Returns: Done when it is decided which idle upstream connections are kept.
    func replaceWorker(_ next: ProxyWorker, onUnused: @escaping () -> Void) -> EventLoopFuture<Void> {
        let previous = worker
        worker = next
        next.pool.setOthers(self)
        retiring.append(previous)
        let takenOver = previous.pool.retire().map { target, connection in
            next.pool.takeOver(connection, of: target, from: previous.pool)
        }
        handshakes.configurationChanged(logger: next.logger)
        for client in clients { client.configurationChanged() }
        previous.exchanges.retire { [self] in
            retiring.removeAll { $0 === previous }
            onUnused()
        }
        return .andAllComplete(takenOver, on: loop)
    }

    // MARK: Clients

    func insert(_ client: any ClientConnection) {
        clients.insert(client)
    }

    func remove(_ client: any ClientConnection) {
        clients.remove(client)
    }

    // MARK: Tunnels

    func insert(_ tunnel: TunnelHandler) {
        tunnels.insert(tunnel)
    }

    /// Logs a tunnel once it has ended.
    func watchTunnel(_ near: TunnelHandler, _ request: EarlyRequest) {
        worker.meter.count(near)
        var summary = worker.earlyRequests.tunnelBegan(request)
        summary.record.number = worker.decisions.tellTunnel(summary)
        summary.record.begun = worker.reporter.began(summary)
        near.begin(for: request.client) { [self] received, receivedByPartner in
            tunnels.remove(near)
            summary.end = clock.now
            summary.record.requestBytes = received
            summary.record.responseBytes = receivedByPartner
            // The log of the worker that it began with may have been written out for the last time.
            worker.reporter.tell(summary, nil)
        }
    }

    /// The tunnel that a request has become.
    func watchTunnel(_ near: TunnelHandler, _ exchange: Exchange) {
        var summary = exchange.summary(end: clock.now, outcome: "tunnel closed")
        exchange.context.meter.count(near)
        near.begin(for: exchange.route.clientName) { [self] received, receivedByPartner in
            tunnels.remove(near)
            summary.end = clock.now
            summary.record.requestBytes += received
            summary.record.responseBytes += receivedByPartner
            worker.reporter.tell(summary, nil)
        }
    }

    // MARK: Memory

    /// Notes that a client holds a large head which is not whole, and that it is not known whose that is.
    func unnamedHeadIsHeld(by client: any ClientConnection) {
        unnamedHeads.insert(ObjectIdentifier(client)) { client.peer }
    }

    /// Notes that the client holds none any more.
    func unnamedHeadWasReleased(by client: any ClientConnection) {
        unnamedHeads.remove(ObjectIdentifier(client))
    }

    /// Takes memory back from a client that holds too much: first what holds the most.
    ///
    /// - Parameter most: Bytes that it may keep.
    func reclaimMemory(of client: ClientUsage, above most: Int) {
        let held = clients.flatMap { $0.heldMemory(of: client) }.sorted { $0.bytes > $1.bytes }
        for one in held {
            guard client.memory.held > most else { return }
            one.giveBack()
        }
    }

    /// Ends a head that nobody is named for, so that another one of them finds room.
    ///
    /// - Returns: Whether there was one.
    func endUnnamedHead(for newcomer: any ClientConnection) -> Bool {
        while let oldest = unnamedHeads.takeOldest(for: ObjectIdentifier(newcomer), at: newcomer.peer) {
            if clients[oldest]?.endUnfinishedHead() == true { return true }
        }
        return false
    }

    // MARK: Load and end

    /// The load of this event loop at the moment. An API may have requests that began with an earlier configuration.
    var load: LoopLoad {
        var load = LoopLoad(tunnels: tunnels.count)
        for worker in retiring + [worker] {
            for (api, counts) in worker.pool.counts { load.pools[api, default: UpstreamConnectionCounts()] += counts }
        }
        return load
    }

    var isDraining: Bool { shutdown.hasBegun }

    func drain() {
        shutdown.begin()
        for client in clients { client.drain() }
        worker.pool.closeIdle()
    }

    func closeAll() {
        for client in clients { client.closeNow() }
        tunnels.closeAll()
        for worker in retiring + [worker] { worker.close() }
    }
}

@available(*, unavailable)
extension ProxyLoop: Sendable {}
