import Bytes
import OAuthSigning

// What other parameters were signed than those that are sent; each is tried alone.
extension DeviationCatalogue {
    var parameterGuesses: [Deviation] {
        repeatedGuesses + exchangedGuesses + methodNameGuesses + protocolValueGuesses + nameGuesses + secretGuesses
            + addedGuesses
    }

    /// The number of parameters that are looked at by themselves: the request may be a stranger's.
    private static let mostParameters = 16

    private func guess(
        _ cause: ComparisonCause,
        _ sentence: String,
        change: @escaping @Sendable (inout SigningRecipe) -> Void
    ) -> Deviation {
        Deviation(cause, "The other side \(sentence).", change: change).of(.values, isRare: true, isAlone: true)
    }

    private func setting(
        _ index: Int,
        to value: [UInt8],
        _ cause: ComparisonCause,
        _ sentence: String
    ) -> Deviation {
        guess(cause, sentence) { if index < $0.parameters.count { $0.parameters[index].value = value } }
    }

    private func places(of origins: [ParameterOrigin]) -> [Int] {
        Array(
            reference.parameters.indices.filter { origins.contains(reference.parameters[$0].origin) }
                .prefix(Self.mostParameters)
        )
    }

    private func place(of name: String) -> Int? {
        reference.parameters.firstIndex { $0.origin == .protocol && $0.nameText == name }
    }

    /// One parameter, twice.
    private var repeatedGuesses: [Deviation] {
        places(of: [.protocol, .query, .form]).map { index in
            let parameter = reference.parameters[index]
            return guess(
                .signedTwice,
                "signed the parameter \(parameter.nameText) twice (it is doubled), and sent it once"
            ) { $0.parameters.append(parameter) }
        }
    }

    /// The value of one parameter in the place of another's, and those of two exchanged.
    private var exchangedGuesses: [Deviation] {
        let (own, others) = (places(of: [.protocol]), places(of: [.query, .form]))
        func pairs(_ indices: [Int]) -> [(Int, Int)] {
            indices.flatMap { one in indices.filter { $0 != one }.map { (one, $0) } }
        }
        return (pairs(own) + pairs(others)).flatMap { to, from -> [Deviation] in
            let (one, other) = (reference.parameters[to], reference.parameters[from])
            guard one.value != other.value else { return [] }
            let cause = ComparisonCause.parameterValue
            let words = Self.parameterWords[other.nameText].map { " (\($0))" } ?? ""
            let copied = setting(
                to,
                to: other.value,
                cause,
                "signed the value of \(other.nameText)\(words) as \(one.nameText) too, in place of its own value"
            )
            if to > from { return [copied] }
            let exchanged = guess(
                cause,
                "signed the values of \(one.nameText) and \(other.nameText) exchanged (swapped), each as the other"
            ) { recipe in
                guard from < recipe.parameters.count else { return }
                recipe.parameters[to].value = other.value
                recipe.parameters[from].value = one.value
            }
            return [copied, exchanged]
        }
    }

    private static let parameterWords = [
        "oauth_consumer_key": "the consumer key", "oauth_token": "the token", "oauth_timestamp": "the timestamp",
        "oauth_nonce": "the nonce", "oauth_verifier": "the verifier", "oauth_callback": "the callback",
        "oauth_signature_method": "the signature method", "oauth_version": "the version",
    ]

    /// The spellings of the method's name.
    private var methodNameGuesses: [Deviation] {
        guard let index = place(of: "oauth_signature_method") else { return [] }
        let codes = ["HMAC", "Hmac", "hmac"].flatMap { start in ["", "-", "_", " "].map { start + $0 } }
        let hashes = ["SHA", "Sha", "sha"].flatMap { start in ["", "-", "_"].map { start + $0 } }
        let sizes = ["1", "256", "512"]
        let composed = codes.flatMap { code in hashes.flatMap { hash in sizes.map { code + hash + $0 } } }
        let rsa = ["RSA", "Rsa", "rsa"].flatMap { start in
            ["", "-", "_"].flatMap { mark in hashes.flatMap { hash in sizes.map { start + mark + hash + $0 } } }
        }
        let families = reference.signatureMethod.isRSA ? rsa : composed
        let others = [
            "SHA-1", "SHA-256", "SHA-512", "SHA_1", "SHA_256", "sha-1", "sha-256", "sha512", "SHA512", "HS1", "HS256",
            "HS512", "RS1", "RS256", "RS512", "0", "1", "2", "hmac", "Hmac", "HMAC-SHA", "HMAC_SHA", "hmac-sha",
            "HMAC-MD5", "HMAC-SHA384", "SHA1withRSA", "SHA256withRSA", "SHA512withRSA", "plaintext", "Plaintext",
            "HMAC-SHA1,HMAC-SHA256", "OAuth", "default", "SignatureMethod.HMAC_SHA1", "SIGNATURE_HMAC",
            "SIGNATURE_METHOD_HMAC_SHA1", "OAUTH_SIG_METHOD_HMACSHA1", "urn:ietf:params:oauth:HMAC-SHA1",
        ]
        return (families + others).filter { $0 != reference.parameters[index].valueText }.map { name in
            setting(
                index,
                to: name.bytes,
                .parameterValue,
                "signed oauth_signature_method (the signature method) as \(name), and sent \(reference.parameters[index].valueText)"
            )
        }
    }

    /// Values that some parameter of the protocol is given in another form.
    private var protocolValueGuesses: [Deviation] {
        func values(_ name: String, _ forms: [(String, (String) -> String)]) -> [Deviation] {
            guard let index = place(of: name) else { return [] }
            let sent = reference.parameters[index].valueText
            return forms.map { words, change in
                setting(
                    index,
                    to: change(sent).bytes,
                    .parameterValue,
                    "signed \(name) \(words), and sent it otherwise"
                )
            }
        }
        func word(_ text: String) -> (String, (String) -> String) { ("as \(text)", { _ in text }) }
        func divided(_ text: String, by divisor: Int) -> String { Int(text).map { String($0 / divisor) } ?? text }
        let times: [(String, (String) -> String)] = [
            ("in microseconds (000000 behind it)", { $0 + "000000" }),
            ("in nanoseconds (000000000 behind it)", { $0 + "000000000" }),
            ("with a fraction of .000 (milliseconds)", { $0 + ".000" }), ("with a fraction of .00", { $0 + ".00" }),
            ("with a fraction of ,0", { $0 + ",0" }), ("with a full stop behind it (a float)", { $0 + "." }),
            ("in minutes (divided by 60)", { divided($0, by: 60) }),
            ("in hours (divided by 3600)", { divided($0, by: 3600) }),
            ("in days (divided by 86400)", { divided($0, by: 86_400) }),
            ("in tenths of a second", { $0 + "0" }), ("in hundredths of a second", { $0 + "00" }),
            ("without its microseconds", { String($0.dropLast(6)) }),
            ("with an exponent (a float)", { text in Double(text).map { "\($0)" } ?? text }),
            (
                "with an exponent (a float, as PHP and R write it)",
                { text in text.count > 2 ? "\(text.prefix(1)).\(text.dropFirst())E+\(text.count - 1)" : text }
            ), ("in hexadecimal digits", { text in Int(text).map { String($0, radix: 16) } ?? text }),
        ]
        let callbacks: [(String, (String) -> String)] = [
            ("as its origin (scheme and host) alone", { URLParts($0).origin }),
            ("as its origin (scheme and host) and a slash", { URLParts($0).origin + "/" }),
            ("as its host alone", { URLParts($0).host }), ("as its path alone", { URLParts($0).path }),
            ("as its path and query alone", { URLParts($0).pathAndQuery }),
            ("without its scheme", { URLParts($0).host + URLParts($0).pathAndQuery }),
            ("without its fragment", { String($0.prefix { $0 != "#" }) }),
            (
                "with the host localhost",
                { $0.replacing(URLParts($0).host, with: "localhost") }
            ), ("with the host 127.0.0.1", { $0.replacing(URLParts($0).host, with: "127.0.0.1") }),
            (
                "with localhost and a port, as it is developed",
                { $0.replacing(URLParts($0).host, with: "localhost:3000") }
            ), ("with www. before its host", { $0.replacing("://", with: "://www.") }),
            ("without www. before its host", { $0.replacing("://www.", with: "://") }), word("oob"), word("OOB"),
            word("none"), word("None"), word("http://localhost"), word("http://localhost/"), word("http://127.0.0.1"),
            word("urn:ietf:wg:oauth:2.0:oob"), word("/"), word("about:blank"), word("False"), word("false"),
        ]
        let ports = ["", ":3000", ":8080", ":8000", ":5000", ":4200", ":8888"].flatMap { port in
            ["localhost", "127.0.0.1"].map { host -> (String, (String) -> String) in
                (
                    "for http://\(host)\(port), as it is developed",
                    { "http://\(host)\(port)" + URLParts($0).pathAndQuery }
                )
            }
        }
        let versions = [
            "1.0.0", "1.00", "01.0", "1.", "1.0 ", "v1.0", "V1.0", "1a", "1.0A", "1_0", "1-0", "10", "2", "1.0.a", "0",
            "1.0f", "OAuth 1.0", "OAuth1.0", "1.0b",
        ].map(word)
        return values("oauth_timestamp", times) + values("oauth_callback", callbacks + ports)
            + values("oauth_version", versions)
    }

    /// One name of the protocol in another spelling.
    private var nameGuesses: [Deviation] {
        places(of: [.protocol]).flatMap { index -> [Deviation] in
            let name = reference.parameters[index].nameText
            guard name.hasPrefix("oauth_") else { return [] }
            let bare = String(name.dropFirst(6))
            let words = bare.split(separator: "_").map { "\($0.prefix(1).uppercased())\($0.dropFirst())" }
            let camel = words.joined()
            let (hyphenated, joined) = (bare.replacing("_", with: "-"), bare.replacing("_", with: ""))
            let names: [String] = [
                bare, "oauth-\(hyphenated)", "oauth\(camel)", "oAuth\(camel)", "OAuth\(camel)",
                "\(camel.prefix(1).lowercased())\(camel.dropFirst())", "oauth.\(bare)", "oauth\(bare)", "auth_\(bare)",
                "x_\(name)", "xoauth_\(bare)", "x_auth_\(bare)", "OAUTH_\(bare.uppercased())", "oauth_\(camel)",
                "oauth_\(joined)", "oauth__\(bare)", "ouath_\(bare)", "oauht_\(bare)", "oath_\(bare)", "oatuh_\(bare)",
                "oauth2_\(bare)", "oauth1_\(bare)", "Oauth_\(bare)", "oAuth_\(bare)", "\(name)s", "\(name)_",
                ":\(name)", "_\(name)", "oauth[\(bare)]", hyphenated,
            ]
            return names.map { other in
                guess(.protocolNames, "signed \(name) under the name \(other), and of this parameter alone") {
                    if index < $0.parameters.count { $0.parameters[index].name = other.bytes }
                }
            }
        }
    }

    /// The secrets under all the names that programs have for them.
    private var secretGuesses: [Deviation] {
        let (first, second) = (reference.key.secrets.first, reference.key.secrets.second)
        let firsts = [
            "consumer_secret", "consumerSecret", "client_secret", "clientSecret", "api_secret", "apiSecret", "secret",
            "app_secret", "appSecret", "shared_secret", "consumer_key_secret", "oauth_consumer_secret", "secret_key",
            "key_secret", "ConsumerSecret", "oauth_secret",
        ]
        let seconds = [
            "token_secret", "tokenSecret", "access_token_secret", "accessTokenSecret", "access_secret", "accessSecret",
            "secret", "user_secret", "oauth_token_secret", "token_key_secret", "TokenSecret", "oauthTokenSecret",
            "resource_owner_secret",
        ]
        func parameter(_ name: String, _ secret: Secret) -> RecipeParameter {
            RecipeParameter(protocolName: name.bytes, value: secret.withBytes { $0.array })
        }
        let rest = "secrets take part in the key alone, and must not be sent or signed"
        func one(_ name: String, _ secret: Secret, _ words: String) -> Deviation {
            let added = parameter(name, secret)
            return guess(.secretSigned, "signed the \(words) as a parameter, \(name); \(rest)") {
                $0.parameters.append(added)
            }
        }
        let single =
            (first.map { secret in firsts.map { one($0, secret, "consumer secret") } } ?? [])
            + (second.map { secret in seconds.map { one($0, secret, "token secret") } } ?? [])
        guard let first, let second else { return single }
        let both = firsts.flatMap { name -> [Deviation] in
            seconds.filter { $0 != name }.map { other -> Deviation in
                let added = [parameter(name, first), parameter(other, second)]
                return guess(.secretSigned, "signed both secrets as parameters, \(name) and \(other); \(rest)") {
                    $0.parameters += added
                }
            }
        }
        return single + both
    }

    /// A parameter that clients and frameworks often add, with a value that it often has.
    private var addedGuesses: [Deviation] {
        func text(_ name: String) -> String? { place(of: name).map { reference.parameters[$0].valueText } }
        let known: [(String, String)] = [
            ("timestamp", text("oauth_timestamp") ?? ""), ("nonce", text("oauth_nonce") ?? ""),
            ("key", text("oauth_consumer_key") ?? ""), ("token", text("oauth_token") ?? ""),
        ]
        let values = Self.usualValues + known.map { $0.1 }.filter { !$0.isEmpty }
        let sent = Set(reference.parameters.map(\.nameText))
        let usual = Self.usualNames.filter { !sent.contains($0) }.flatMap { name in values.map { (name, $0) } }
        return (Self.usualPairs + usual).map { name, value -> Deviation in
            let parameter = RecipeParameter(name: name.bytes, value: value.bytes, origin: .query)
            return guess(
                .parameterAdded,
                "signed \(value.isEmpty ? "an empty \(name)" : "\(name)=\(value)"), which is not sent: it was added to one of the two only"
            ) { $0.parameters.append(parameter) }
        }
    }

    private static let usualNames = [
        "page", "per_page", "limit", "offset", "count", "size", "lang", "language", "locale", "callback",
        "api_version", "version", "v", "strict", "json", "debug", "output", "type", "format", "pretty",
        "include_entities", "tweet_mode", "_route", "timestamp", "nonce", "Authorization", "expires", "grant_type",
        "oauth_callback_confirmed", "oauth_ext", "oauth_scope", "oauth_problem", "perms", "access", "script", "deploy",
        "sort", "order", "status", "context", "_", "t", "ts", "time", "rand", "cache", "api_key", "apikey", "key",
        "token", "scope", "realm", "state", "test", "trim_user", "cursor", "skip_status", "force", "id", "_fields",
        "start", "rows", "max", "action", "method", "user",
    ]
    private static let usualValues = [
        "", "0", "1", "10", "20", "25", "50", "100", "1.0", "true", "false", "json", "xml", "en", "en_US", "asc",
        "desc",
        "read", "any", "view", "null", "undefined",
    ]
    private static let usualPairs: [(String, String)] = [
        ("callback", "?"), ("expires", "3600"), ("script", "6"), ("page", "2"), ("count", "5"), ("count", "200"),
        ("limit", "5"), ("context", "edit"), ("access", "write"), ("perms", "write"), ("tweet_mode", "extended"),
        ("grant_type", "client_credentials"), ("grant_type", "password"),
        ("grant_type", "authorization_code"), ("grant_type", "refresh_token"), ("lang", "en-US"), ("locale", "en-US"),
        ("lang", "de"), ("locale", "de_DE"), ("api_version", "1.1"), ("api_version", "2.0"), ("version", "2.0"),
        ("version", "1.1"), ("script", "1"), ("script", "customscript1"), ("deploy", "customdeploy1"),
        ("access", "read_write"), ("x_auth_access_type", "read"), ("x_auth_access_type", "write"), ("perms", "delete"),
        ("scope", "read write"), ("scope", "openid"), ("include_email", "true"), ("include_rts", "1"),
        ("include_rts", "true"), ("media_category", "tweet_image"), ("command", "INIT"), ("command", "APPEND"),
        ("command", "FINALIZE"), ("command", "STATUS"), ("response_type", "code"), ("prompt", "login"),
        ("oauth_callback_confirmed", "true"), ("stringify_ids", "true"), ("type", "application/json"),
        ("orderby", "date"),
        ("order", "ASC"), ("order", "DESC"), ("consumer_key", ""), ("consumer_secret", ""), ("searchCriteria", ""),
        ("searchCriteria", "all"), ("searchCriteria[pageSize]", "10"), ("searchCriteria[currentPage]", "1"),
        ("searchCriteria[page_size]", "10"), ("searchCriteria[current_page]", "1"), ("expand", "all"),
        ("expandSubResources", "true"), ("rest_route", ""), ("XDEBUG_SESSION_START", "PHPSTORM"),
        ("XDEBUG_SESSION", "1"),
        ("utm_source", ""), ("SandBox", "true"), ("sandbox", "true"), ("minorversion", "65"), ("minorversion", "4"),
    ]
}
