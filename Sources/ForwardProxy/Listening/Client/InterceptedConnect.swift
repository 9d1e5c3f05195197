import Routing
import Settings

/// The decision on a CONNECT request, taken again after each reload. A class, so that a request holds one reference.
final class InterceptedConnect {
    private(set) var interception: Interception
    private let message: ConnectMessage
    private var decidedBy: ProxyWorker
    /// To the upstream of the requests that come through.
    private(set) var connections: TargetPool

    init(_ interception: Interception, message: ConnectMessage, decidedBy: ProxyWorker) {
        self.interception = interception
        self.message = message
        self.decidedBy = decidedBy
        connections = decidedBy.connections(for: interception)
    }

    /// Returns whether the present configuration still has the CONNECT request intercepted.
    func renew(by worker: ProxyWorker) -> Bool {
        guard decidedBy !== worker else { return true }
        guard case .intercept(let interception) = message.decision(by: worker.settings.router) else { return false }
        self.interception = interception
        decidedBy = worker
        connections = worker.connections(for: interception)
        return true
    }
}
