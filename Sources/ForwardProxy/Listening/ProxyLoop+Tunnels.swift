import HTTP1Codec
import NIOCore
import Routing
import Settings

extension ProxyLoop {
    /// Logs a tunnel once it has ended.
    func watchTunnel(
        _ near: TunnelHandler,
        authority: Authority,
        client: String?,
        start: NIODeadline
    ) {
        near.clientName = client
        var record = AccessRecord(start: start)
        record.status = 200
        near.onEnd = { [self] received, receivedByPartner in
            tunnels.remove(near)
            record.requestBytes = received
            record.responseBytes = receivedByPartner
            // The log of the worker that it began with may have been written out for the last time.
            worker.exchanges.accessLog.append(
                record,
                method: ByteBuffer(staticString: "CONNECT"),
                authority: authority.description,
                target: nil,
                api: nil,
                account: nil,
                client: client,
                outcome: "tunnel closed"
            )
        }
    }

    /// The tunnel that a request has become.
    func watchTunnel(_ near: TunnelHandler, _ exchange: Exchange) {
        var record = exchange.record
        let account = exchange.route.accountReference
        let apis = exchange.context.apis
        let api = account.map { apis[$0.api].settings.name }
        let name = account.map { apis[$0.api].name(of: $0) }
        let authority = exchange.route.authority.description
        let (method, target) = (exchange.head.methodBytes, exchange.route.requestTarget)
        let client = exchange.route.clientName
        near.clientName = client
        near.onEnd = { [self] received, receivedByPartner in
            tunnels.remove(near)
            record.requestBytes += received
            record.responseBytes += receivedByPartner
            worker.exchanges.accessLog.append(
                record,
                method: method,
                authority: authority,
                target: target,
                api: api,
                account: name,
                client: client,
                outcome: "tunnel closed"
            )
        }
    }
}
