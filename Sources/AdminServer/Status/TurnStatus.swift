import Bytes

/// A turn at exchanging a token, which one replica has at a time.
package struct TurnStatus: Equatable, Sendable, Decodable {
    /// The API of the account; nil, as the account is, when it is one that this replica does not know of.
    package var api: String?
    package var account: String?
    /// The replica that has it, as it calls itself.
    package var holder: String

    package init(api: String?, account: String?, holder: String) {
        self.api = api
        self.account = account
        self.holder = holder
    }

    var json: JSONText {
        .object([("api", .string(api)), ("account", .string(account)), ("holder", .string(holder))])
    }
}
