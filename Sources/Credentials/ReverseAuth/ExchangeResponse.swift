/// The provider's whole answer to an ``ExchangeRequest``: the final response, its body collected and, where the
/// transport was asked to, decoded.
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
