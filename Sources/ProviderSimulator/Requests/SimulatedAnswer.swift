/// What the provider answers.
package struct SimulatedAnswer: Sendable {
    package var status: Int
    package var contentType: String
    /// Further fields; Content-Type and Content-Length go without saying.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]

    package init(
        status: Int,
        contentType: String,
        fields: [(name: String, value: String)] = [],
        body: [UInt8]
    ) {
        self.status = status
        self.contentType = contentType
        self.fields = fields
        self.body = body
    }
}
