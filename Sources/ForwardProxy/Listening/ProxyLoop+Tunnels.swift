import HTTP1Codec
import NIOCore
import Routing
import Settings

extension ProxyLoop {
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
}
