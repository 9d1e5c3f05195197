import Bytes
package import FoundationEssentials

/// The fields by which a provider last told how many more requests it takes.
package struct RateLimitStatus: Equatable, Sendable, Decodable {
    package struct Field: Equatable, Sendable, Decodable {
        /// The name as the provider spelled it.
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        var json: JSONText { .object([("name", .string(name)), ("value", .string(value))]) }
    }

    /// The account whose request was answered; nil: it was of none.
    package var account: String?
    package var time: Date
    package var fields: [Field]

    package init(account: String?, time: Date, fields: [Field]) {
        self.account = account
        self.time = time
        self.fields = fields
    }

    var json: JSONText {
        .object([("account", .string(account)), ("time", .time(time)), ("fields", .array(fields.map(\.json)))])
    }
}
