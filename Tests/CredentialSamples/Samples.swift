package import Credentials
import OAuthSigning

/// Credentials for the tests of what keeps them.
package enum Samples {
    package static let alice = CredentialName(api: "twitter", account: "alice")
    package static let bob = CredentialName(api: "twitter", account: "bob")

    /// A credential whose parts all follow from the number, so that a mixture of two is noticed.
    package static func credential(_ number: UInt64) -> StoredCredential {
        StoredCredential(
            token: .oauth1(TokenCredentials(token: "token-\(number)", secret: Secret("a secret \(number)"))),
            attributes: ["user_id": "\(number)", "screen_name": "ä & \(number)"],
            obtainedAt: number
        )
    }
}
