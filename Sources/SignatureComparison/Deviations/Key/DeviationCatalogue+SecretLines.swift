import Bytes
import OAuthSigning

// Lines of .env files and of shells, NAME=value, taken for the secrets that are in them.
extension DeviationCatalogue {
    /// The number of names that are tried, and of them in twos.
    private static let (mostNames, mostPaired) = (24, 10)
    private static let forms = [
        ("", "=", ""), ("export ", "=", ""), ("", "=\"", "\""), ("", "='", "'"), ("export ", "=\"", "\""),
        ("export ", "='", "'"), ("", "=", "\n"), ("", "=", "\r\n"), ("", ": ", ""), ("", ":", ""), ("", " = ", ""),
        ("set ", "=", ""), ("$env:", "=\"", "\""), ("$env:", " = \"", "\""),
    ]
    private static let usualForms = forms.prefix(4)
    /// Providers, and words in place of one, before the names that follow.
    private static let prefixes =
        [
            "", "TWITTER", "X", "DISCOGS", "TUMBLR", "FLICKR", "SMUGMUG", "NETSUITE", "MAGENTO", "WOOCOMMERCE",
            "TRELLO", "JIRA", "CONFLUENCE", "MASTERCARD", "OAUTH", "OAUTH1", "API", "APP", "MY", "PLATFORM", "CLIENT",
        ]
        .map { $0.isEmpty ? "" : $0 + "_" }
    private static let consumerNames = ["CONSUMER_SECRET", "API_SECRET", "API_KEY_SECRET", "CLIENT_SECRET"]
    private static let tokenNames = ["TOKEN_SECRET", "ACCESS_TOKEN_SECRET", "ACCESS_SECRET", "OAUTH_TOKEN_SECRET"]

    /// Keys of such lines, each tried with no other deviation: first those with ``secretNames``.
    var lineGuesses: [Deviation] {
        let names = secretNames.filter(Self.isSecrets) + secretNames.filter { !Self.isSecrets($0) }
        return lines(Array(names.prefix(Self.mostNames)), of: Self.forms[...])
            + Self.prefixes.flatMap { lines(named: $0, of: Self.usualForms) }
    }

    private static func isSecrets(_ name: String) -> Bool { name.uppercased().contains("SECRET") }

    private func lines(_ names: [String], of forms: ArraySlice<(String, String, String)>) -> [Deviation] {
        let paired = names.prefix(Self.mostPaired)
        return forms.flatMap { form -> [Deviation] in
            let lines = names.map { SecretLine(name: $0, form: form) }
            let pairs = paired.flatMap { one in
                paired.filter { $0 != one }.map { other in
                    (SecretLine(name: one, form: form), SecretLine(name: other, form: form))
                }
            }
            return deviations(consumer: lines, token: lines, both: pairs)
        }
    }

    private func lines(
        named prefix: String,
        of forms: ArraySlice<(String, String, String)>
    ) -> [Deviation] {
        forms.flatMap { form -> [Deviation] in
            let consumer = Self.consumerNames.map { SecretLine(name: prefix + $0, form: form) }
            let token = Self.tokenNames.map { SecretLine(name: prefix + $0, form: form) }
            return deviations(
                consumer: consumer,
                token: token,
                both: consumer.flatMap { one in token.map { (one, $0) } }
            )
        }
    }

    private func deviations(
        consumer: [SecretLine],
        token: [SecretLine],
        both: [(SecretLine, SecretLine)]
    ) -> [Deviation] {
        let (first, second) = reference.key.secrets
        func line(_ words: String, _ change: @escaping @Sendable (inout SigningRecipe) -> Void) -> Deviation {
            Deviation(.secretWithName, "The other side's \(words)", change: change)
                .of(.key, isRare: true, isAlone: true)
        }
        let end = "with the name of the variable; take what follows it."
        var deviations: [Deviation] = []
        if let first, !first.isEmpty {
            deviations += consumer.map { one in
                line("consumer secret is the whole line \(one.shown), \(end)") {
                    $0.key.secrets.first = one.text(of: first)
                }
            }
        }
        guard let second, !second.isEmpty else { return deviations }
        deviations += token.map { one in
            line("token secret is the whole line \(one.shown), \(end)") {
                $0.key.secrets.second = one.text(of: second)
            }
        }
        guard let first, !first.isEmpty else { return deviations }
        return deviations
            + both.map { one, other in
                line(
                    "secrets are the whole lines \(one.shown) and \(other.shown), with the names of the variables; take what "
                        + "follows them."
                ) { $0.key.secrets = (one.text(of: first), other.text(of: second)) }
            }
    }
}

/// A line in which a secret stands behind the name of its variable.
private struct SecretLine: Sendable {
    let name: String
    let form: (start: String, mark: String, end: String)

    /// The line without the secret.
    var shown: String { "\(form.start)\(name)\(form.mark)…\(form.end.trimmed)" }

    func text(of secret: Secret) -> Secret {
        Secret(bytes: "\(form.start)\(name)\(form.mark)".bytes + secret.withBytes { $0.array } + form.end.bytes)
    }
}
