import FoundationEssentials

/// An answer of the provider.
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

extension SimulatedAnswer {
    /// The token endpoints of Twitter label whatever they answer so.
    static let textType = "text/html;charset=utf-8"
    static let jsonType = "application/json;charset=utf-8"

    static func text(
        _ text: String,
        status: Int,
        contentType: String = textType,
        fields: [(name: String, value: String)] = []
    ) -> SimulatedAnswer {
        SimulatedAnswer(status: status, contentType: contentType, fields: fields, body: Array(text.utf8))
    }

    static func json(
        _ value: some Encodable,
        status: Int = 200,
        fields: [(name: String, value: String)] = []
    ) -> SimulatedAnswer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings, numbers and lists of them can always be encoded.
        let body = (try? encoder.encode(value)) ?? Data()
        return SimulatedAnswer(status: status, contentType: jsonType, fields: fields, body: Array(body))
    }

    /// A form-encoded answer.
    static func form(
        _ pairs: [(name: String, value: String)],
        status: Int = 200,
        contentType: String,
        fields: [(name: String, value: String)] = []
    ) -> SimulatedAnswer {
        SimulatedAnswer(status: status, contentType: contentType, fields: fields, body: FormPairs.encode(pairs))
    }
}
