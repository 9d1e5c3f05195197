import Bytes
import OAuthSigning

extension DeviationCatalogue {
    /// The deviations in how the secrets become a key (RFC 5849, section 3.4.2).
    var keys: [Deviation] {
        (additionDeviations + compositionDeviations + escapingDeviations).of(.key)
            + otherEscapingDeviations.of(.key, isRare: true) + mistakenDeviations
            + wholeKeyDeviations + secretDeviations
    }

    private var additionDeviations: [Deviation] {
        guard let secret = unusedTokenSecret else { return [] }
        let sentence =
            "No token is sent, so that the key must be consumer secret and & alone; the other side added the token secret. "
            + "(Or it should have sent oauth_token.)"
        return [Deviation(.tokenSecretAdded, sentence) { $0.key.secrets.second = secret }]
    }

    private var compositionDeviations: [Deviation] {
        [
            Deviation(.tokenSecretMissing, "The other side's key lacks the token secret.") {
                $0.key.secrets.second = nil
            },
            Deviation(.consumerSecretMissing, "The other side's key lacks the consumer secret.") {
                $0.key.secrets.first = nil
            },
            Deviation(
                .ampersandMissing,
                "The other side's key lacks the & behind the consumer secret, which stands there without a token secret too."
            ) { $0.key.separator = [] },
            Deviation(
                .tokenSecretMissing,
                "The other side's key is the consumer secret alone, without the & and the token secret."
            ) {
                $0.key.secrets.second = nil
                $0.key.separator = []
            },
            Deviation(.secretsSwapped, "The other side's key has token secret and consumer secret in the wrong order.")
            {
                $0.key.secrets = ($0.key.secrets.second, $0.key.secrets.first)
            },
            Deviation(.consumerSecretMissing, "The other side's key is empty but for the &.") {
                $0.key.secrets = (nil, nil)
            },
        ]
    }

    private var escapingDeviations: [Deviation] {
        [
            Deviation(.secretNotEncoded, "The other side did not percent-encode the secrets in its key.") {
                $0.key.escaping.rounds = 0
            },
            Deviation(.secretEncodedTwice, "The other side percent-encoded the secrets in its key twice.") {
                $0.key.escaping.rounds = 2
            },
            Deviation(.keyEncoded, "The other side percent-encoded its key as a whole, with the &.") {
                $0.key.escaping.rounds = 0
                $0.key.isEncodedAsWhole = true
            },
            Deviation(.keyEncoded, "The other side percent-encoded its key once more as a whole, with the &.") {
                $0.key.isEncodedAsWhole = true
            },
            Deviation(.lowercaseHex, "The other side encoded the secrets in its key with lower-case digits.") {
                $0.key.escaping.usesLowercaseDigits = true
            },
            Deviation(.plusForSpace, "The other side wrote a space in a secret as + in its key.") {
                $0.key.escaping.spaceIsPlus = true
            },
            Deviation(.reservedNotEncoded, "The other side left ! * ' ( ) in a secret as they are in its key.") {
                $0.key.escaping.unescaped = Array("!*'()".utf8)
            },
            Deviation(.overEncoding, "The other side encoded ~ in a secret, which must stay as it is in its key.") {
                $0.key.escaping.escaped = Array("~".utf8)
            },
        ]
    }

    /// Further ways to encode the secrets, as functions of libraries have them.
    private var otherEscapingDeviations: [Deviation] {
        let forms = [
            Escaping(spaceIsPlus: true, unescaped: "*".bytes, escaped: "~".bytes),
            Escaping(spaceIsPlus: true, unescaped: "*".bytes),
            Escaping(spaceIsPlus: true, escaped: "~".bytes), Escaping(rounds: 2, spaceIsPlus: true),
        ]
        let encoded = forms.map { form in
            Deviation(
                .formEncoding,
                "The other side encoded the secrets in its key as forms do (Java's URLEncoder, PHP's urlencode), with + for a space."
            ) { $0.key.escaping = form }
        }
        let kept = [
            "/", ";,/?:@&=+$!*'()#", "@*/+", "/+=", "+/", "=", "+", ":", "@", "$", "&", "%", "~!*'()", "[]", "|", " ",
        ]
        return encoded
            + kept.map { set in
                Deviation(
                    .reservedNotEncoded,
                    "The other side left \(set) in the secrets as they are in its key, not percent-encoded."
                ) {
                    $0.key.escaping.unescaped = set.bytes
                }
            }
            + [
                Deviation(.secretNotEncoded, "The other side did not percent-encode the consumer secret in its key.") {
                    $0.key.isRaw.first = true
                },
                Deviation(.secretNotEncoded, "The other side did not percent-encode the token secret in its key.") {
                    $0.key.isRaw.second = true
                },
                Deviation(
                    .overEncoding,
                    "The other side encoded - . _ and ~ in the secrets, which must stay as they are."
                ) {
                    $0.key.escaping.escaped = "-._~".bytes
                },
            ]
    }

    /// Other texts taken for the secrets.
    private var mistakenDeviations: [Deviation] {
        var deviations: [Deviation] = []
        if let identifier = Self.secret(own, "oauth_consumer_key") ?? Self.secret(sent, "oauth_consumer_key") {
            deviations.append(
                Deviation(.identifierForSecret, "The other side's key has the consumer key in place of its secret.") {
                    $0.key.secrets.first = identifier
                }
                .of(.firstSecret)
            )
        }
        if let identifier = Self.secret(own, "oauth_token") ?? Self.secret(sent, "oauth_token") {
            deviations.append(
                Deviation(.identifierForSecret, "The other side's key has the token in place of its secret.") {
                    $0.key.secrets.second = identifier
                }
                .of(.secondSecret)
            )
        }
        return deviations + exchangedDeviations
    }

    /// Identifiers and secrets in each other's places.
    private var exchangedDeviations: [Deviation] {
        let key = Self.secret(own, "oauth_consumer_key") ?? Self.secret(sent, "oauth_consumer_key")
        let token = Self.secret(own, "oauth_token") ?? Self.secret(sent, "oauth_token")
        let secrets = reference.key.secrets
        let texts = [
            (key, "the consumer key"), (token, "the token"), (secrets.first, "the consumer secret"),
            (secrets.second, "the token secret"), (nil, "nothing"),
        ]
        let pairs = texts.flatMap { first in texts.map { second in (first, second) } }.filter { first, second in
            (first.0 ?? second.0) != nil && (first.0 == key || first.0 == token || second.0 == key || second.0 == token)
        }
        let exchanged = pairs.flatMap { first, second in
            ["&", "", ":"].map { separator in
                let mark = separator.isEmpty ? "no &" : separator == ":" ? "a colon for the &" : "the &"
                let sentence =
                    "The other side's key is \(first.1), \(mark) and \(second.1); it must be the consumer secret, & and the token secret."
                return Deviation(.identifierForSecret, sentence) {
                    $0.key.secrets = (first.0, second.0)
                    $0.key.separator = separator.bytes
                }
                .of(.key, isRare: true, isAlone: true)
            }
        }
        guard let key, let secret = secrets.first else { return exchanged }
        let both = key.withBytes { $0.array } + ":".bytes + secret.withBytes { $0.array }
        let answer = token.map {
            "oauth_token=".bytes + PercentEncoding.encode($0.withBytes { $0.array }) + "&oauth_token_secret=".bytes
        }
        let basic = Deviation(
            .secretBase64,
            "The other side's consumer secret is the Base64 of consumer key, colon and secret, as Basic authentication has it."
        ) {
            $0.key.secrets.first = Secret(bytes: Base64.encode(both.span))
        }
        .of(.key, isRare: true, isAlone: true)
        let whole = ["", "&oauth_callback_confirmed=true", "\n"].compactMap { rest in
            answer.map { answer in
                Deviation(
                    .secretWithName,
                    "The other side's token secret is the whole answer of the provider (oauth_token=…&oauth_token_secret=…); take the value in it."
                ) { recipe in
                    let second = recipe.key.secrets.second?.withBytes { $0.array } ?? []
                    recipe.key.secrets.second = Secret(bytes: answer + PercentEncoding.encode(second) + rest.bytes)
                }
                .of(.key, isRare: true, isAlone: true)
            }
        }
        return exchanged + [basic] + whole
    }

    /// A secret that was put together of two texts.
    private var combinedDeviations: [Deviation] {
        let key = Self.secret(own, "oauth_consumer_key") ?? Self.secret(sent, "oauth_consumer_key")
        let token = Self.secret(own, "oauth_token") ?? Self.secret(sent, "oauth_token")
        let (first, second) = reference.key.secrets
        let texts: [(String, Secret?)] = [
            ("consumer key", key), ("token", token), ("consumer secret", first), ("token secret", second),
        ]
        let pairs = texts.flatMap { one in texts.map { (one, $0) } }.filter { $0.0 != $1.0 }
        return pairs.flatMap { one, other -> [Deviation] in
            guard let front = one.1, let behind = other.1 else { return [] }
            return ["&", ":", "", "|", ",", "/", "-", "_", "."].flatMap { mark -> [Deviation] in
                let text = Secret(
                    bytes: front.withBytes { $0.array } + mark.bytes + behind.withBytes { $0.array }
                )
                let words =
                    "is \(one.0) and \(other.0) in one\(mark.isEmpty ? "" : ", with \(mark) between"); it must be the secret alone"
                let cause = ComparisonCause.identifierForSecret
                return [
                    Deviation(cause, "The other side's consumer secret \(words).") { $0.key.secrets.first = text },
                    Deviation(cause, "The other side's token secret \(words).") { $0.key.secrets.second = text },
                    Deviation(cause, "The other side's consumer secret, without a token secret, \(words).") {
                        $0.key.secrets = (text, nil)
                    },
                ].map { $0.of(.key, isRare: true, isAlone: true) }
            }
        }
    }

    /// Deviations that take for a secret what is sent.
    private var sentValueDeviations: [Deviation] {
        reference.parameters.filter { $0.origin == .protocol && !$0.value.isEmpty }.prefix(16).flatMap { parameter in
            let (secret, name) = (Secret(bytes: parameter.value), parameter.nameText)
            let cause = ComparisonCause.identifierForSecret
            return [
                Deviation(cause, "The other side's key has \(name) in place of the consumer secret.") {
                    $0.key.secrets.first = secret
                },
                Deviation(cause, "The other side's key has \(name) in place of the token secret.") {
                    $0.key.secrets.second = secret
                },
            ].map { $0.of(.key, isRare: true, isAlone: true) }
        }
    }

    private var sent: [ProtocolParameter] {
        reference.parameters.map { ProtocolParameter(name: $0.nameText, value: $0.valueText) }
    }

    private static func secret(_ parameters: [ProtocolParameter], _ name: String) -> Secret? {
        parameters.first { $0.name == name && !$0.value.isEmpty }.map { Secret($0.value) }
    }

    /// Deviations by what becomes of each of the secrets, and of both, before they are put together.
    private var secretDeviations: [Deviation] {
        let hasToken = !(reference.key.secrets.second?.isEmpty ?? true)
        let first = SecretMistake.all.map { $0.deviation(.firstSecret, of: "The other side's consumer secret") }
        let second = SecretMistake.all.map { $0.deviation(.secondSecret, of: "The other side's token secret") }
        let both = SecretMistake.all.map { $0.deviation(.bothSecrets, of: "Each of the other side's secrets") }
        let words = SecretMistake.placeholders
        let (firstWords, secondWords) = (
            words.map { $0.deviation(.firstSecret, of: "The other side's consumer secret") },
            words.map { $0.deviation(.secondSecret, of: "The other side's token secret") }
        )
        let bothWords = words.map {
            $0.deviation(.bothSecrets, of: "Each of the other side's secrets")
                .of(.bothSecrets, isRare: $0.isRare, isAlone: true)
        }
        if hasToken { return bothWords + secondWords + firstWords + first + second + both }
        // Where there is no token, something has rather happened to the one secret than put another behind it.
        return first + secondWords + firstWords
    }

    /// Keys that are seldom seen, and tried with no other deviation.
    var keyGuesses: [Deviation] {
        let hasToken = !(reference.key.secrets.second?.isEmpty ?? true)
        let (changes, texts) = (SecretMistake.further, SecretMistake.substitutes)
        let first = (texts + changes).map { $0.deviation(.firstSecret, of: "The other side's consumer secret") }
        let second = (texts + (hasToken ? changes : SecretMistake.lines)).map {
            $0.deviation(.secondSecret, of: "The other side's token secret")
        }
        let both = hasToken ? changes.map { $0.deviation(.bothSecrets, of: "Each of the other side's secrets") } : []
        return combinedDeviations + sentValueDeviations + namedKeyDeviations + first + second + both
    }
}

extension SecretMistake {
    /// - Parameter subject: The words for the secrets that it happens to, a singular.
    fileprivate func deviation(_ group: DeviationGroup, of subject: String) -> Deviation {
        Deviation(cause, "\(subject) \(words).") { recipe in
            if group != .secondSecret { apply(to: &recipe.key.secrets.first, &recipe.key.isRaw.first) }
            if group != .firstSecret { apply(to: &recipe.key.secrets.second, &recipe.key.isRaw.second) }
        }
        .of(group, isRare: isRare, isAlone: isAlone)
    }

    private func apply(to secret: inout Secret?, _ isSecretRaw: inout Bool) {
        guard let changed = change(secret?.withBytes { $0.array } ?? []) else { return }
        secret = Secret(bytes: changed)
        isSecretRaw = isRaw
    }
}
