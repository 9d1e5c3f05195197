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
