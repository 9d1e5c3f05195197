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
