import HTTP1Codec
import HTTP2Codec
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

    /// A stream was reset that is over, or whose head cannot be used.
    ///
    /// - Parameter error: The client's mistake; nil when it has reset the stream itself.
    func unknownReset(_ error: HTTP2StreamError?) {
        if let error, case .head = error { worker.exchanges.reset(early(nil, at: clock.now), for: error) }
        restSent()
    }
}
