import HTTP1Codec
import NIOCore
import Routing
import Settings

extension ProxyLoop {
    /// Logs a tunnel once it has ended.
    func watchTunnel(_ near: TunnelHandler, _ request: EarlyRequest) {
        worker.exchanges.meter.count(near)
        var summary = worker.exchanges.tunnelBegan(request)
        summary.record.number = worker.exchanges.tellTunnel(summary)
        summary.record.begun = worker.exchanges.began(summary)
        near.begin(for: request.client) { [self] received, receivedByPartner in
            tunnels.remove(near)
            summary.end = clock.now
            summary.record.requestBytes = received
            summary.record.responseBytes = receivedByPartner
            // The log of the worker that it began with may have been written out for the last time.
            worker.exchanges.tell(summary, nil)
        }
    }

    /// The tunnel that a request has become.
    func watchTunnel(_ near: TunnelHandler, _ exchange: Exchange) {
        var summary = exchange.context.summary(
            of: exchange,
            exchange.record,
            end: clock.now,
            outcome: "tunnel closed"
        )
        exchange.context.meter.count(near)
        near.begin(for: exchange.route.clientName) { [self] received, receivedByPartner in
            tunnels.remove(near)
            summary.end = clock.now
            summary.record.requestBytes += received
            summary.record.responseBytes += receivedByPartner
            worker.exchanges.tell(summary, nil)
        }
    }
}
