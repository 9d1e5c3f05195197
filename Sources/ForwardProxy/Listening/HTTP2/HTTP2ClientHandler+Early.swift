import HTTP1Codec
import NIOCore

extension HTTP2ClientHandler {
    /// Returns what is known of a request that is no exchange.
    ///
    /// - Parameters:
    ///   - head: Nil when none could be read.
    ///   - arrival: The time at which that had come.
    func early(_ head: RequestHead?, at arrival: NIODeadline) -> EarlyRequest {
        var request = EarlyRequest(head, at: arrival, from: address)
        intercepted.describe(&request, by: worker)
        return request
    }
}
