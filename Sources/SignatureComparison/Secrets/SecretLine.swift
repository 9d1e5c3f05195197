import Bytes
import OAuthSigning

/// A line in which a secret stands behind the name of its variable.
struct SecretLine: Sendable {
    let name: String
    let form: (start: String, mark: String, end: String)

    /// The line without the secret.
    var shown: String { "\(form.start)\(name)\(form.mark)…\(form.end.trimmed)" }

    func text(of secret: Secret) -> Secret {
        Secret(bytes: "\(form.start)\(name)\(form.mark)".bytes + secret.withBytes { $0.array } + form.end.bytes)
    }
}
