import Bytes
import OAuthSigning

// Parameters that are signed and not sent, and those of the protocol that are signed under other names and values.
extension DeviationCatalogue {
    var extraDeviations: [Deviation] { protocolNameDeviations + protocolValueDeviations + secretParameterDeviations }

    /// The deviations of which there are very many.
    var singleDeviations: [Deviation] {
        innerHostDeviations + placeholderDeviations + nearbyValueDeviations + templateOrderDeviations
            + guessedDeviations
            + singleTypeDeviations + addressDeviations + parameterDeviations + textValueDeviations
            + typedValueDeviations + nestedStructureDeviations + movedDeviations
    }

    private static func protocolChange(
        _ cause: ComparisonCause,
        _ sentence: String,
        _ change: @escaping @Sendable (inout RecipeParameter) -> Void
    ) -> Deviation {
        Deviation(cause, "The other side \(sentence).") { recipe in
            for index in recipe.parameters.indices where recipe.parameters[index].origin == .protocol {
                change(&recipe.parameters[index])
            }
        }
        .of(.sent, isRare: true)
    }

    private var protocolNameDeviations: [Deviation] {
        func names(_ sentence: String, _ change: @escaping @Sendable (String) -> String) -> Deviation {
            Self.protocolChange(.protocolNames, sentence) { $0.name = $0.name.changed(change) }
        }
        let prefix = "oauth_"
        return [
            names("signed the protocol's parameters without the oauth_ before their names") {
                $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0
            },
            names("signed the protocol's parameters with names in upper case") { $0.uppercased() },
            names("signed the protocol's parameters with camel-case names (oauthToken)") { name in
                let words = name.split(separator: "_")
                return words.prefix(1).joined()
                    + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            },
            names("signed the protocol's parameters with x before their names (xoauth_…)") { "x" + $0 },
            names("signed the protocol's parameters with - for _ in their names") { $0.replacing("_", with: "-") },
            names("signed the protocol's parameters with oauth_ before their names twice") {
                $0.hasPrefix(prefix) ? prefix + $0 : $0
            },
            names("signed the protocol's parameters with oauth. before their names") {
                $0.replacing(prefix, with: "oauth.")
            },
            names("signed a blank before the names of the protocol's parameters, as the header has it") { " " + $0 },
            names("signed OAuth and a blank before each of the protocol's names") { "OAuth " + $0 },
            Deviation(
                .protocolNames,
                "The other side signed OAuth, the header's first word, with the name of the first parameter of the protocol."
            ) { recipe in
                guard let index = recipe.parameters.firstIndex(where: { $0.origin == .protocol }) else { return }
                recipe.parameters[index].name = "OAuth ".bytes + recipe.parameters[index].name
            }
            .of(.sent, isRare: true),
        ]
    }

    private var protocolValueDeviations: [Deviation] {
        func values(_ cause: ComparisonCause, _ sentence: String, _ change: @escaping @Sendable (String) -> String)
            -> [Deviation]
        {
            let all = Self.protocolChange(cause, sentence + " in the protocol's parameters") {
                $0.value = $0.value.changed(change)
            }
            let each = Set(reference.parameters.filter { $0.origin == .protocol }.map(\.nameText)).sorted().map {
                name in
                Self.protocolChange(cause, sentence + " in \(name)") { parameter in
                    if parameter.nameText == name { parameter.value = parameter.value.changed(change) }
                }
            }
            return each + [all]
        }
        func value(_ name: String, _ words: String, _ change: @escaping @Sendable (String) -> String) -> Deviation {
            Self.protocolChange(.parameterValue, "signed \(name) \(words), and sent it otherwise") { parameter in
                if parameter.nameText == name { parameter.value = parameter.value.changed(change) }
            }
        }
        let method = "oauth_signature_method"
        let methods =
            SignatureMethod.allCases.map(\.rawValue) + [
                "SHA1", "SHA256", "HMAC", "HMACSHA1", "HMACSHA256", "HmacSHA1", "HmacSHA256", "sha1", "sha256", "RSA",
                "HMAC-SHA-1", "HMAC-SHA-256", "MD5", "HMAC-MD5", "",
            ]
        return values(.parameterValue, "signed a blank (space) for each plus sign (+)") { $0.replacing("+", with: " ") }
            + values(.parameterValue, "signed a plus sign (+) for each blank (space)") { $0.replacing(" ", with: "+") }
            + values(.parameterValue, "signed the lower case") { $0.lowercased() }
            + values(.parameterValue, "signed the upper case") { $0.uppercased() }
            + values(.parameterValue, "signed quotation marks around the value") { "\"\($0)\"" }
            + values(.parameterValue, "signed the value without the = at its end (padding)") {
                String($0.reversed().drop { $0 == "=" }.reversed())
            }
            + values(.parameterValue, "signed a value that ends in a line end (line feed, \\n)") { $0 + "\n" }
            + values(.parameterValue, "signed the value without the line end or blanks at its ends (trimmed)") {
                $0.trimmed
            }
            + values(.parameterValue, "signed a blank (space) before the value") { " " + $0 }
            + values(.parameterValue, "signed an empty value") { _ in "" }
            + values(.parameterValue, "signed the word null as value") { _ in "null" }
            + values(.parameterValue, "signed the word undefined as value") { _ in "undefined" }
            + values(.parameterValue, "signed - and _ for + and / (Base64 for URLs)") {
                $0.replacing("+", with: "-").replacing("/", with: "_")
            }
            + values(.parameterValue, "signed the value without characters that are no letters or digits") {
                $0.filter { $0.isLetter || $0.isNumber }
            }
            + values(.parameterValue, "signed the value's Base64") { Base64.encode($0.bytes.span).text }
            + methods.map { text in value(method, text.isEmpty ? "as an empty text" : "as \(text)") { _ in text } }
            + [
                value(method, "in lower case") { $0.lowercased() },
                value(method, "with an underscore for its hyphen") { $0.replacing("-", with: "_") },
                value(method, "in lower case with an underscore") { $0.lowercased().replacing("-", with: "_") },
                value("oauth_version", "as 1.0a") { _ in "1.0a" }, value("oauth_version", "as 1") { _ in "1" },
                value("oauth_version", "as 2.0") { _ in "2.0" },
                value("oauth_version", "as 1.1") { _ in "1.1" },
                value("oauth_version", "as 1,0 (a locale's)") { _ in "1,0" },
                value("oauth_timestamp", "with a fraction of .0") { $0 + ".0" },
                value("oauth_timestamp", "in milliseconds (000 behind it)") { $0 + "000" },
                value("oauth_timestamp", "in seconds, without the milliseconds that it sent") {
                    String($0.dropLast(3))
                },
                value("oauth_timestamp", "without the fraction that it sent") { String($0.prefix { $0 != "." }) },
                value("oauth_callback", "as oob") { _ in "oob" },
            ]
    }

    /// The secrets, which take part in the key alone, and what others add to what is signed.
    private var secretParameterDeviations: [Deviation] {
        let key = reference.key
        let secrets: [(String, Secret?)] = [
            ("oauth_token_secret", key.secrets.second), ("oauth_consumer_secret", key.secrets.first),
            ("token_secret", key.secrets.second),
            ("consumer_secret", key.secrets.first), ("oauth_secret", key.secrets.first),
            ("client_secret", key.secrets.first), ("secret", key.secrets.first),
            ("oauth_client_secret", key.secrets.first), ("api_secret", key.secrets.first),
            ("oauth_access_token_secret", key.secrets.second), ("access_token_secret", key.secrets.second),
        ]
        let deviations = secrets.compactMap { name, secret -> Deviation? in
            guard let secret else { return nil }
            let parameter = RecipeParameter(protocolName: name.bytes, value: secret.withBytes { $0.array })
            return Deviation(
                .secretSigned,
                "The other side signed the \(secret == key.secrets.second && name.contains("token") ? "token secret" : "secret") as a parameter, \(name); secrets take part in the key alone."
            ) { $0.parameters.append(parameter) }
            .of(.sent, isRare: true)
        }
        let both = Deviation(
            .secretSigned,
            "The other side signed both secrets as parameters, oauth_consumer_secret and oauth_token_secret; they take part in the key alone."
        ) { recipe in
            for (name, secret) in [
                ("oauth_consumer_secret", key.secrets.first), ("oauth_token_secret", key.secrets.second),
            ] {
                guard let secret else { continue }
                recipe.parameters.append(
                    RecipeParameter(protocolName: name.bytes, value: secret.withBytes { $0.array })
                )
            }
        }
        .of(.sent, isRare: true)
        let more = [
            ("oauth_callback", "oob"), ("oauth_callback", ""), ("oauth_verifier", ""), ("oauth_token", "null"),
            ("oauth_token", "undefined"), ("oauth_token", "None"), ("oauth_version", "1"), ("oauth_version", ""),
            ("oauth_version", "1.0a"), ("oauth_signature_method", "HMAC-SHA1"),
            ("oauth_body_hash", ""), ("format", "json"), ("realm", ""), ("x_auth_mode", "client_auth"),
            ("oauth_signature", "null"), ("oauth_signature", "undefined"), ("oauth_session_handle", ""),
            ("oauth_token_secret", ""), ("oauth_verifier", "null"), ("oauth_verifier", "undefined"),
            ("oauth_callback", "null"), ("oauth_callback", "undefined"), ("oauth_nonce", ""), ("oauth_timestamp", ""),
            ("scope", ""), ("Authorization", "OAuth"), ("oauth_body_hash", "2jmj7l5rSw0yVb/vlWAYkK/YBwk="),
            ("oauth_body_hash", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
        ].map { name, value in
            let parameter = RecipeParameter(protocolName: name.bytes, value: value.bytes)
            return Deviation(
                .parameterAdded,
                "The other side signed \(value.isEmpty ? "an empty \(name)" : "\(name)=\(value)"), but did not send it."
            ) {
                guard !$0.parameters.contains(where: { $0.name == parameter.name }) else { return }
                $0.parameters.append(parameter)
            }
            .of(.sent, isRare: true)
        }
        let hash = BodyHash.text(of: request.body.span, for: reference.signatureMethod)
        let bodyHash = RecipeParameter(protocolName: BodyHash.parameterName.bytes, value: hash.bytes)
        let hashed = Deviation(
            .parameterAdded,
            "The other side signed oauth_body_hash (of this body), but did not send it."
        ) {
            guard !$0.parameters.contains(where: { $0.name == bodyHash.name }) else { return }
            $0.parameters.append(bodyHash)
        }
        .of(.sent, isRare: true)
        return deviations + [both, hashed] + more
    }

    /// A value that was changed after signing, as far as it can be guessed.
    private var nearbyValueDeviations: [Deviation] {
        let indices = reference.parameters.indices.filter { reference.parameters[$0].origin != .protocol }
        return indices.prefix(24).flatMap { index -> [Deviation] in
            let parameter = reference.parameters[index]
            let text = parameter.valueText
            var others: [String] = []
            if let number = Int(text), abs(number) < 1_000_000_000 {
                others =
                    [
                        number + 1, number - 1, number + 2, number - 2, 0, 1, number * 10, number + 10, number - 10, 2,
                        10, 20, 25, 50, 100, 200,
                    ].map(String.init) + [""]
            } else {
                let flips = [
                    "true": "false", "false": "true", "asc": "desc", "desc": "asc", "json": "xml", "xml": "json",
                    "yes": "no", "no": "yes", "on": "off", "off": "on",
                ]
                others = [
                    flips[text], String(text.dropLast()), String(text.dropFirst()), text + text, "", text + ",",
                    text + "/", text + "=", text + "&", "null", "undefined",
                ].compactMap(\.self)
            }
            return others.filter { $0 != text }.map { other in
                Deviation(
                    .parameterValue,
                    "The other side signed another value of \(parameter.nameText), \"\(other)\"; \"\(text)\" is sent. It was changed after signing."
                ) { if index < $0.parameters.count { $0.parameters[index].value = other.bytes } }
                .of(.values, isRare: true)
            }
        }
    }

    /// A boolean of which there is one alone.
    private var singleTypeDeviations: [Deviation] {
        let words = [
            "1": ["true", "True", "on", "yes"], "0": ["false", "False", "off", "no", ""], "true": ["1", "True"],
            "false": ["0", "False", ""], "": ["null", "None", "undefined", "(null)", "nil", "false", "0", "NULL"],
        ]
        let indices = reference.parameters.indices.filter { reference.parameters[$0].origin != .protocol }
        return indices.prefix(24).flatMap { index -> [Deviation] in
            let parameter = reference.parameters[index]
            return (words[parameter.valueText] ?? []).map { other in
                Deviation(
                    .valueType,
                    "The other side signed \(parameter.nameText)=\"\(other)\" for the boolean or the empty value (null) that is sent as \"\(parameter.valueText)\"."
                ) { if index < $0.parameters.count { $0.parameters[index].value = other.bytes } }
                .of(.values, isRare: true)
            }
        }
    }

    /// Parameters that no one sent: those without a value, which are signed and then left out, and what frameworks add.
    private var guessedDeviations: [Deviation] {
        let names = [
            "page", "per_page", "limit", "offset", "cursor", "count", "size", "since", "until", "sort", "order", "q",
            "query", "search", "filter", "fields", "include",
            "expand", "format", "lang", "locale", "id", "name", "type", "status", "callback", "since_id", "max_id",
            "user_id", "screen_name", "start", "end", "from", "to",
            "tag", "tags", "category", "title", "description", "text", "note", "body", "data", "key", "token", "state",
            "scope", "version", "v", "timestamp", "method", "action",
            "user", "email", "password", "ids", "page_size", "pageSize", "perPage", "sort_by", "order_by", "orderby",
            "direction", "date", "after", "before", "parent", "slug", "ref",
            "_", "file", "media", "media_ids", "lat", "long", "place_id", "url", "content", "message", "comment",
            "value", "active", "hidden", "price", "_method", "utf8", "commit",
        ]
        let values = ["", "null", "undefined", "None", "(null)", "nil", "false"]
        return names.filter { name in !reference.parameters.contains { $0.nameText == name } }.flatMap { name in
            values.map { value in
                let parameter = RecipeParameter(name: name.bytes, value: value.bytes, origin: .query)
                return Deviation(
                    .parameterAdded,
                    "The other side signed \(value.isEmpty ? "an empty \(name)" : "\(name)=\(value)"), which is not sent: a parameter without a value (null) has to be left out of both."
                ) { $0.parameters.append(parameter) }
                .of(.values, isRare: true)
            }
        }
    }
}
