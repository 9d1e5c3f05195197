import Bytes

/// Leaves out of what is shown whatever could be a secret: by its place, and by its name.
package enum Redaction {
    /// The text that stands for what was left out.
    package static let mark = "…"

    /// Names of fields whose values may be secrets, in lower case.
    private static let secretFields: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "authentication-info",
        "proxy-authentication-info", "x-api-key", "api-key", "apikey", "x-auth-token", "x-access-token", "x-csrf-token",
        "x-xsrf-token", "x-amz-security-token", "x-goog-api-key", "x-shopify-access-token", "private-token",
        "sec-websocket-key", "www-authenticate",
    ]

    /// Parts of names of parameters and fields whose values may be secrets, in lower case.
    private static let secretParts = [
        "token", "secret", "passw", "passcode", "passwd", "pwd", "credential", "signature", "verifier", "assertion",
        "session", "api_key", "api-key", "apikey", "access_key", "private", "jwt", "auth_code", "cookie",
    ]

    /// Whole names of such parameters, in lower case.
    private static let secretNames: Set<String> = [
        "code", "key", "sig", "pin", "otp", "auth", "authorization", "pass", "sid",
    ]

    /// Returns whether the value of a parameter may be a secret.
    ///
    /// - Parameter name: Not encoded.
    package static func isSecret(parameter name: String) -> Bool {
        let name = name.lowercased()
        return secretNames.contains(name) || secretParts.contains { name.contains($0) }
    }

    /// Returns whether the value of a field may be a secret.
    package static func isSecret(field name: String) -> Bool {
        let name = name.lowercased()
        return secretFields.contains(name) || secretParts.contains { name.contains($0) }
    }

    /// What may stand between two parameters; some servers take a semicolon as one, and a fragment has its own.
    private static let separators: Set<Character> = ["&", ";", "?", "#"]

    /// Returns a query, or a form, with the values that may be secrets left out.
    package static func query(_ query: some StringProtocol) -> String {
        var shown = ""
        var rest = query[...]
        while !rest.isEmpty {
            let pair = rest.prefix { !separators.contains($0) }
            shown += parameter(pair)
            rest = rest[pair.endIndex...]
            if let separator = rest.popFirst() { shown.append(separator) }
        }
        return shown
    }

    private static func parameter(_ pair: some StringProtocol) -> String {
        guard let equals = pair.firstIndex(of: "=") else { return String(pair) }
        let name = PercentEncoding.decodeText(pair[..<equals].utf8) ?? String(pair[..<equals])
        return isSecret(parameter: name) ? "\(pair[..<equals])=\(mark)" : String(pair)
    }

    /// Returns a request-target, or another reference to a resource, with the values of its query and its fragment left
    /// out that may be secrets.
    package static func target(_ target: some StringProtocol) -> String {
        guard let mark = target.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return String(target) }
        return "\(target[...mark])\(query(target[target.index(after: mark)...]))"
    }

    /// Names of fields whose values are references, which may hold secrets in a query, in lower case.
    private static let references: Set<String> = ["location", "content-location", "referer", "link", "refresh"]

    /// Returns a field's value as it is shown: of `Authorization` the scheme alone, and of OAuth's its parameters.
    package static func field(_ name: String, _ value: String) -> String {
        guard isSecret(field: name) else { return references.contains(name.lowercased()) ? target(value) : value }
        let scheme = value.prefix { $0 != " " }
        guard name.lowercased().hasSuffix("authorization"), scheme.count < value.count else { return mark }
        return scheme.lowercased() == "oauth" ? authorization(value) : "\(scheme) \(mark)"
    }

    /// Returns the value of an `Authorization` field of OAuth 1.0 with its token and its signature left out.
    package static func authorization(_ value: String) -> String {
        guard let space = value.firstIndex(of: " ") else { return mark }
        let parameters = value[value.index(after: space)...].split(separator: ",").map { parameter in
            let text = parameter.drop { $0 == " " }
            let name = text.prefix { $0 != "=" }
            return isSecret(parameter: String(name)) && name != "oauth_signature_method"
                ? "\(name)=\"\(mark)\"" : String(text)
        }
        return "\(value[...space])\(parameters.joined(separator: ", "))"
    }
}
