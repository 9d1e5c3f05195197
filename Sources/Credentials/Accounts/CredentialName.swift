import Bytes

/// The name of a credential: an account of an API, by the names of the configuration.
///
/// Two names are equal when their bytes are (UTF-8), not when they merely look alike: the vault's file names follow
/// the bytes, so equality must not be coarser.
package struct CredentialName: Sendable, Hashable {
    /// The greatest number of bytes of both names together with which a credential can be stored.
    package static let byteLimit = 4_096

    package var api: String
    package var account: String

    package init(api: String, account: String) {
        self.api = api
        self.account = account
    }

    package static func == (one: CredentialName, other: CredentialName) -> Bool {
        sameBytes(one.api, other.api) && sameBytes(one.account, other.account)
    }

    package func hash(into hasher: inout Hasher) {
        for part in [api, account] {
            hasher.combine(part.utf8.count)
            for byte in part.utf8 { hasher.combine(byte) }
        }
    }
}

extension CredentialName: CustomStringConvertible {
    /// The name for a person: `api/account`, in printable characters.
    package var description: String {
        "\(condensed(api, limit: 100))/\(condensed(account, limit: 100))"
    }
}

/// Returns whether two texts are the same in UTF-8. `==` also takes for the same what is written otherwise and merely
/// looks alike (canonical equivalence), which is another account's name.
package func sameBytes(_ one: String, _ other: String) -> Bool {
    one.utf8.elementsEqual(other.utf8)
}
