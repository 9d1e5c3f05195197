/// A request that an exchange wants sent.
///
/// `Host`, `Content-Length` and whatever else the transport owes are the transport's to add. `Host` is
/// ``destination``'s authority as it stands: it is what was signed. The fields and the body are sent as they are, and
/// redirects are not followed.
package struct ExchangeRequest: Sendable {
    package var method: String
    /// The whole URL, as configured.
    package var url: String
    /// The same, taken apart.
    package var destination: ExchangeURL
    package var fields: [(String, String)]
    package var body: [UInt8]
    /// The name of the request for a person, the same words as in ``ExchangeFailure/step``. Bounded: fit for a label.
    package var step: String
}

extension ExchangeRequest {
    /// A GET that carries no credentials. Nil when the URL is none that a request can be sent to.
    package init?(getting url: String, step: String) {
        guard let destination = ExchangeURL(url) else { return nil }
        self.init(method: "GET", url: url, destination: destination, fields: [], body: [], step: step)
    }
}

/// The provider's whole answer to an ``ExchangeRequest``: the final response (no 1xx), its body collected. A body of
/// more than 64 KiB is refused whatever it holds: the transport need not collect more than one byte beyond that.
package struct ExchangeResponse: Sendable {
    package var status: Int
    package var fields: [(String, String)]
    package var body: [UInt8]

    package init(status: Int, fields: [(String, String)] = [], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
