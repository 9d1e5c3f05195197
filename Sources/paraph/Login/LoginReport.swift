import Bytes
import Credentials

/// The report on a token that was obtained: whose it is, and never what it is.
struct LoginReport {
    let name: CredentialName
    let credential: StoredCredential

    private static let longestValue = 100

    var text: String {
        let said = credential.attributes.sorted { $0.key < $1.key }.map { name, value in
            "    \(condensed(name, limit: Self.longestValue)): \(condensed(value, limit: Self.longestValue))"
        }
        return (["Stored the token of \(name) in the vault."] + said).joined(separator: "\n")
    }
}
