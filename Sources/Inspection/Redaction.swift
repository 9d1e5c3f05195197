import Bytes

/// Leaves out of what is shown whatever could be a secret: by its place, and by its name (``SecretName``).
package enum Redaction {
    /// The text that stands for what was left out.
    package static let mark = "…"

    /// References within references that are looked into.
    private static let deepest = 3

    /// Returns whether the value of a parameter may be a secret.
    ///
    /// - Parameter name: Not encoded.
    package static func isSecret(parameter name: String) -> Bool { SecretName.includes(name) }

    /// Returns whether the value of a field may be a secret.
    package static func isSecret(field name: String) -> Bool { SecretName.includes(name) }

    // MARK: References

    /// The characters that may stand between two parameters: some servers take a semicolon as one, and a fragment has
    /// its own.
    private static let separators: Set<Unicode.Scalar> = ["&", ";", "?", "#"]

    /// Returns a query, or a form, with the values left out that may be secrets.
    package static func query(_ query: some StringProtocol) -> String { parameters(query, separators, depth: 0) }

    /// Returns a path with the values of parameters in it left out that may be secrets (RFC 3986, section 3.3).
    package static func path(_ path: some StringProtocol) -> String { parameters(path, ["/", ";"], depth: 0) }

    /// Returns a request-target, or another reference to a resource, with what may be secret in it left out.
    package static func target(_ target: some StringProtocol) -> String { Self.target(target, depth: 0) }

    private static func target(_ target: some StringProtocol, depth: Int) -> String {
        let path = target.part(beforeScalar: { $0 == "?" || $0 == "#" })
        let shown = parameters(withoutUser(path), ["/", ";"], depth: depth)
        guard path.endIndex < target.endIndex else { return shown }
        let rest = target.part(afterScalarAt: path.endIndex)
        return "\(shown)\(target.unicodeScalars[path.endIndex])\(parameters(rest, separators, depth: depth))"
    }

    /// Returns the part of a reference before its query without the user information of its authority.
    private static func withoutUser(_ reference: some StringProtocol) -> String {
        let pieces = reference.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)
        guard pieces.count == 2 else { return String(reference) }
        let authority = pieces[1].part(beforeScalar: { $0 == "/" })
        guard let at = authority.unicodeScalars.lastIndex(of: "@") else { return String(reference) }
        return "\(pieces[0])//\(mark)\(pieces[1][at...])"
    }

    private static func parameters(
        _ text: some StringProtocol,
        _ separators: Set<Unicode.Scalar>,
        depth: Int
    ) -> String {
        var shown = ""
        var rest = text[...]
        while !rest.isEmpty {
            let pair = rest.part(beforeScalar: separators.contains)
            shown += parameter(pair, depth: depth)
            guard pair.endIndex < rest.endIndex else { break }
            shown.unicodeScalars.append(rest.unicodeScalars[pair.endIndex])
            rest = rest.part(afterScalarAt: pair.endIndex)
        }
        return shown
    }

    private static func parameter(_ pair: some StringProtocol, depth: Int) -> String {
        guard let equals = pair.unicodeScalars.firstIndex(of: "=") else { return String(pair) }
        let name = PercentEncoding.decodeText(pair[..<equals].utf8) ?? String(pair[..<equals])
        let value = pair.part(afterScalarAt: equals)
        return "\(pair[..<equals])=\(Self.value(value, of: name, depth: depth))"
    }

    /// Returns the value of a parameter as it is shown.
    ///
    /// - Parameters:
    ///   - value: Percent-encoded.
    ///   - name: Not encoded.
    package static func value(_ value: some StringProtocol, of name: String) -> String {
        Self.value(value, of: name, depth: 0)
    }

    private static func value(_ value: some StringProtocol, of name: String, depth: Int) -> String {
        if SecretName.includes(name) { return mark }
        // It may be a reference itself, or another query.
        guard let decoded = PercentEncoding.decodeText(value.utf8),
            decoded.unicodeScalars.contains(where: { $0 == "=" || $0 == "@" })
        else {
            return String(value)
        }
        guard depth < deepest else { return mark }
        let isBare = target(decoded, depth: depth + 1) == decoded
        return isBare && parameters(decoded, separators, depth: depth + 1) == decoded ? String(value) : mark
    }

    // MARK: Fields

    /// Returns a field's value as it is shown: of `Authorization` the scheme alone, and of OAuth's its parameters.
    package static func field(_ name: String, _ value: String) -> String {
        guard isSecret(field: name) else { return target(value) }
        let scheme = value.prefix { $0 != " " }
        guard name.lowercased().hasSuffix("authorization"), scheme.count < value.count else { return mark }
        return scheme.lowercased() == "oauth" ? authorization(value) : "\(scheme) \(mark)"
    }

    /// Parameters of an `Authorization` field that are shown, and those that are named alone.
    private static let shownParameters: Set<String> = [
        "realm", "oauth_consumer_key", "oauth_nonce", "oauth_timestamp", "oauth_signature_method", "oauth_version",
        "oauth_body_hash",
    ]
    private static let namedParameters: Set<String> = [
        "oauth_token", "oauth_signature", "oauth_verifier", "oauth_callback",
    ]

    /// Returns whether a parameter of an `Authorization` field is shown with its value.
    static func isShown(authorizationParameter name: String) -> Bool { shownParameters.contains(name) }

    /// Returns the value of an `Authorization` field of OAuth 1.0 (RFC 5849, section 3.5.1) with its token and its
    /// signature left out; of one that has anything else in it, the scheme alone.
    package static func authorization(_ value: String) -> String {
        let scheme = value.prefix { $0 != " " }
        var rest = value[scheme.endIndex...].drop { $0 == " " }
        var shown: [String] = []
        while !rest.isEmpty {
            let name = rest.prefix { $0 != "=" }
            rest = rest[name.endIndex...].dropFirst()
            guard rest.popFirst() == "\"" else { return "\(scheme) \(mark)" }
            let text = rest.prefix { $0 != "\"" }
            rest = rest[text.endIndex...]
            guard rest.popFirst() == "\"" else { return "\(scheme) \(mark)" }
            if shownParameters.contains(String(name)) {
                shown.append("\(name)=\"\(text)\"")
            } else if namedParameters.contains(String(name)) {
                shown.append("\(name)=\"\(mark)\"")
            } else {
                return "\(scheme) \(mark)"
            }
            rest = rest.drop { $0 == " " }
            guard rest.isEmpty || rest.popFirst() == "," else { return "\(scheme) \(mark)" }
            rest = rest.drop { $0 == " " }
        }
        return shown.isEmpty ? "\(scheme) \(mark)" : "\(scheme) \(shown.joined(separator: ", "))"
    }
}
