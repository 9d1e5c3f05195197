import Bytes
import Credentials
import OAuthSigning

/// The answer to `GET /accounts`: `{"accounts":[{"api":…,"account":…},…],"errors":[…]}`. Never a secret.
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
