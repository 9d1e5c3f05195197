import Bytes
import HTTP1Codec
import NIOCore
import Routing
import Settings

/// The decision on a CONNECT request, taken again after each reload. A class, so that a request holds one reference.
final class InterceptedConnect {
    private(set) var interception: Interception
    private let message: ConnectMessage
    private var decidedBy: ProxyWorker
    /// The connections to the upstream of the requests that come through.
    private(set) var connections: TargetPool

    init(_ interception: Interception, message: ConnectMessage, decidedBy: ProxyWorker) {
        self.interception = interception
        self.message = message
        self.decidedBy = decidedBy
        connections = decidedBy.connections(for: interception)
    }

    /// Takes the decision again where the worker is another one than it was taken by. Returns false, and nothing has
    /// changed, where the request would not be intercepted any more.
    func renew(by worker: ProxyWorker) -> Bool {
        guard decidedBy !== worker else { return true }
        let decision = try? message.decision(by: worker.settings.router)
        guard case .intercept(let interception)? = decision else { return false }
        self.interception = interception
        decidedBy = worker
        connections = worker.connections(for: interception)
        return true
    }

    /// Notes what is known of a request that came through.
    func describe(_ request: inout EarlyRequest, by worker: ProxyWorker) {
        request.client = interception.client?.name
        if request.head?.fields.contains(.host) != true { request.authority = interception.authority }
        request.scheme = .https
        // The API may be another one, or none, under another configuration.
        if renew(by: worker) { request.api = interception.route.index }
    }
}

/// The part of a CONNECT request that the decision upon it needs, so that it can be taken again.
struct ConnectMessage {
    private let target: ByteBuffer
    private let proxyAuthorization: ByteBuffer?

    init(_ head: borrowing RequestHead) {
        // Copies: the head's own bytes are a slice of a larger buffer.
        target = ByteBuffer(bytes: head.target.readableBytesView)
        proxyAuthorization = head.fields.value(of: .proxyAuthorization).map { ByteBuffer(bytes: $0.readableBytesView) }
    }

    func decision(by router: Router) throws(Refusal) -> ConnectDecision {
        try router.decide(connect: target, proxyAuthorization: proxyAuthorization)
    }
}
