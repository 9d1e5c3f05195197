import NIOCore
import Routing
import Settings

/// The attempt to connect the other end of a tunnel, for one client.
///
/// 1. ``connect()`` goes by the configuration of its time.
/// 2. The client may leave, which gives up ``dial``.
/// 3. ``ended(_:_:)`` counts how it went. The tunnel then counts among its client's for as long as its other end is open.
struct TunnelAttempt {
    let dial = ClientDial()
    private let authority: Authority
    private let usage: ClientUsage
    private let claim: ConnectionClaim
    private let proxyLoop: ProxyLoop
    private let stopwatch: ConnectStopwatch
    private let begin: NIODeadline

    /// - Throws: `Problem` when the client may have no more tunnels.
    init(to authority: Authority, for usage: ClientUsage, on proxyLoop: ProxyLoop) throws(Problem) {
        claim = try proxyLoop.worker.admissions.claimTunnel(for: usage)
        self.authority = authority
        self.usage = usage
        self.proxyLoop = proxyLoop
        stopwatch = ConnectStopwatch(clock: proxyLoop.clock)
        begin = proxyLoop.clock.now
    }

    func connect() -> EventLoopFuture<any Channel> {
        let worker = proxyLoop.worker
        let boundDial = NIOLoopBound(dial, eventLoop: proxyLoop.loop)
        return worker.tunnels.connect(
            to: UpstreamDestination(authority: authority, proxy: worker.settings.upstreamProxy),
            for: NameLookupHolder(usage),
            dial: dial,
            stopwatch: NIOLoopBound(stopwatch, eventLoop: proxyLoop.loop),
            initializer: { boundDial.value.begin($0) }
        )
    }

    /// - Parameter request: The request for the tunnel. The time that the connection took is noted of it.
    func ended(
        _ result: Result<any Channel, any Error>,
        _ request: inout EarlyRequest
    ) -> Result<any Channel, UpstreamFailure> {
        request.connection = ExchangeRecord.Wait(begin: begin, time: proxyLoop.clock.now - begin)
        let meter = proxyLoop.worker.meter
        switch result {
        case .success(let channel):
            stopwatch.connected()
            request.connectTimes = stopwatch.times
            meter.tunnelConnected(stopwatch.times)
            channel.closeFuture.assumeIsolated().whenComplete { [claim] _ in claim.release() }
            return .success(channel)
        case .failure(let error):
            stopwatch.failed()
            request.connectTimes = stopwatch.times
            claim.release()
            let failure = UpstreamFailure(connecting: error, host: authority.host)
            meter.tunnelConnected(stopwatch.times, failure: failure.label(dial))
            return .failure(failure)
        }
    }
}

@available(*, unavailable)
extension TunnelAttempt: Sendable {}
