import Bytes
import Credentials
import OAuthSigning

/// What `GET /accounts` answers: `{"accounts":[{"api":…,"account":…},…],"errors":[…]}`. Never a secret.
enum AccountList {
    static func members(of listing: VaultListing) -> [(key: String, value: JSONText)] {
        let accounts = listing.names.map { name in
            JSONText.object([("api", .string(name.api)), ("account", .string(name.account))])
        }
        return [
            ("accounts", .array(accounts)),
            ("errors", .array(listing.errors.map { .string($0.description) })),
        ]
    }
}
