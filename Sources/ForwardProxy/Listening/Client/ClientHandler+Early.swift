import Bytes
import HTTP1Codec
import NIOCore
import Routing

// MARK: - Requests that are no exchanges

extension ClientHandler {
    /// Returns what is known of a request, by what has been decided upon its connection.
    ///
    /// - Parameter head: Nil when none could be read.
    func early(_ head: RequestHead?) -> EarlyRequest {
        var request = EarlyRequest(head, at: head == nil ? worker.clock.now : headArrival, from: address)
        if let gateway {
            request.api = gateway.gateway(by: worker)?.route.index
            request.scheme = .http
        } else if let intercepted {
            intercepted.describe(&request, by: worker)
        }
        return request
    }

    /// Refuses what is no request that could be read.
    func refuseUnread(_ problem: Problem) {
        worker.exchanges.refused(early(nil), problem)
        answer(problem, to: nil, requestIsComplete: false)
    }
}

extension InterceptedConnect {
    /// Notes what is known of a request that came through.
    func describe(_ request: inout EarlyRequest, by worker: ProxyWorker) {
        request.client = interception.client?.name
        if request.head?.fields.contains(.host) != true { request.authority = interception.authority }
        request.scheme = .https
        // The API may be another one, or none, under another configuration.
        if renew(by: worker) { request.api = interception.route.index }
    }
}
