import Bytes

/// Leaves out of what is shown whatever could be a secret: by its place, and by its name (``SecretName``).
package enum Redaction {
    /// The text that stands for what was left out.
    package static let mark = "…"

    /// Returns whether the value of a parameter may be a secret.
    ///
    /// - Parameter name: The name, not encoded.
    package static func isSecret(parameter name: String) -> Bool { SecretName.includes(name) }

    /// Returns whether the value of a field may be a secret.
    package static func isSecret(field name: String) -> Bool { SecretName.includes(name) }

    // MARK: References

    /// The characters that may stand between two parameters: some servers take a semicolon as one, and a fragment has
    /// its own.
    private static let separators: Set<Unicode.Scalar> = ["&", ";", "?", "#"]

    /// Returns a query, or a form, with the values left out that may be secrets.
    package static func query(_ query: some StringProtocol) -> String { parameters(query, separators) }

    /// Returns a path with the values of parameters in it left out that may be secrets (RFC 3986, section 3.3), and the
    /// segments that are secrets by what stands before them.
    package static func path(_ path: some StringProtocol) -> String { parameters(path, ["/", ";"]) }

    /// Returns whether ``path(_:)`` leaves nothing out of a path, where that is told quickly; otherwise false.
    package static func isPlain(path: Span<UInt8>) -> Bool { SecretName.isAbsent(fromPath: path) }

    /// Returns a list of parameters between commas with the values left out that may be secrets.
    package static func list(_ list: some StringProtocol) -> String { parameters(list, [","]) }

    /// Returns a request-target, or another reference to a resource, with what may be secret in it left out.
    package static func target(_ target: some StringProtocol) -> String {
        let before = target.part(beforeScalar: { $0 == "?" || $0 == "#" })
        let (authority, path) = split(before)
        let shown = authority + Self.path(path)
        guard before.endIndex < target.endIndex else { return shown }
        let rest = target.part(afterScalarAt: before.endIndex)
        return "\(shown)\(target.unicodeScalars[before.endIndex])\(parameters(rest, separators))"
    }

    /// Returns the scheme and the authority of a reference, without user information, and its path.
    private static func split(_ reference: some StringProtocol) -> (authority: String, path: String) {
        let pieces = reference.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)
        guard pieces.count == 2, pieces[0].isEmpty || pieces[0].hasSuffix(":"), !pieces[0].contains("/") else {
            return ("", String(reference))
        }
        let authority = pieces[1].part(beforeScalar: { $0 == "/" })
        let path = String(pieces[1][authority.endIndex...])
        guard let at = authority.unicodeScalars.lastIndex(of: "@") else { return ("\(pieces[0])//\(authority)", path) }
        return ("\(pieces[0])//\(mark)\(authority[at...])", path)
    }

    private static func parameters(_ text: some StringProtocol, _ separators: Set<Unicode.Scalar>) -> String {
        let isPath = separators.contains("/")
        var shown = ""
        var rest = text[...]
        var followsName = false
        var segment: String?
        while !rest.isEmpty {
            let pair = rest.part(beforeScalar: separators.contains)
            let isLeftOut = followsName && isOpaque(pair) || isPath && holdsPath(pair)
            let part = isLeftOut ? mark : parameter(pair)
            shown += part
            guard pair.endIndex < rest.endIndex else { break }
            // What separates may stand within the text of another form, too.
            let written = pair.drop { $0 == " " }
            if part.hasSuffix(mark), written.utf8.contains(where: { $0 <= 0x22 || $0 == 0x3C || $0 == 0x7B }) {
                return shown
            }
            let separator = rest.unicodeScalars[pair.endIndex]
            if isPath {
                // What stands between semicolons are the parameters of a segment.
                let name = segment ?? String(pair)
                segment = separator == "/" ? nil : name
                let isName = SecretName.includes(decoded(name)) || followsName && isVersion(name)
                followsName = separator == "/" && isName
            }
            shown.unicodeScalars.append(separator)
            rest = rest.part(afterScalarAt: pair.endIndex)
        }
        return shown
    }

    /// Returns whether the segments that are encoded in one have anything that is left out.
    private static func holdsPath(_ segment: some StringProtocol) -> Bool {
        guard segment.utf8.contains(UInt8(ascii: "%")) else { return false }
        let text = decoded(segment)
        return text.utf8.contains(UInt8(ascii: "/")) && path(text) != text
    }

    /// Returns a text without its percent-encodings, and those within them.
    private static func decoded(_ text: some StringProtocol) -> String {
        var text = String(text)
        for _ in 0...2 where text.utf8.contains(UInt8(ascii: "%")) {
            text = PercentEncoding.decodeText(text.utf8) ?? text
        }
        return text
    }

    /// Returns whether a segment of a path is a version, or another short number, or empty.
    private static func isVersion(_ segment: some StringProtocol) -> Bool {
        let rest = segment.first == "v" ? segment.dropFirst() : segment[...]
        return rest.utf8.count < 4 && rest.utf8.allSatisfy { $0.isDigit || $0 == 0x2E }
    }

    /// Returns whether a segment of a path is no word of a language, nor a version.
    private static func isOpaque(_ segment: some StringProtocol) -> Bool {
        if segment.utf8.count >= SecretName.longestWord { return true }
        return !isVersion(segment)
            && !segment.utf8.allSatisfy { $0.isLowercase || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }
    }

    private static func parameter(_ pair: some StringProtocol) -> String {
        guard let equals = pair.unicodeScalars.firstIndex(of: "=") else {
            return isAuthority(pair) || !(isBot(pair) || SecretText.mayHold(pair)) ? String(pair) : mark
        }
        let name = pair[..<equals]
        if SecretText.mayHold(name) { return mark }
        return "\(name)=\(value(pair.part(afterScalarAt: equals), of: decoded(name)))"
    }

    /// Returns whether a text is a host with its port.
    private static func isAuthority(_ text: some StringProtocol) -> Bool {
        let bytes = Array(text.utf8)
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")), bytes[..<colon].contains(0x2E) else { return false }
        guard bytes[..<colon].allSatisfy(PercentEncoding.isUnreserved) else { return false }
        let port = bytes[(colon + 1)...]
        return port.count <= 5 && port.allSatisfy(\.isDigit)
    }

    /// Returns whether a segment names a bot by its number and its token, as Telegram's API has it.
    private static func isBot(_ segment: some StringProtocol) -> Bool {
        guard segment.hasPrefix("bot") else { return false }
        let rest = decoded(segment).dropFirst(3)
        let number = rest.prefix { $0.isNumber }
        return !number.isEmpty && rest[number.endIndex...].first == ":"
    }

    /// Returns the name of a parameter as it is shown: a body that is no form at all may be taken for one name.
    package static func name(_ name: some StringProtocol) -> String { SecretText.mayHold(name) ? mark : String(name) }

    /// Returns the value of a parameter as it is shown.
    ///
    /// - Parameters:
    ///   - value: Percent-encoded.
    ///   - name: The name, not encoded.
    package static func value(_ value: some StringProtocol, of name: String) -> String {
        SecretName.includes(name) || SecretText.mayHold(value) ? mark : String(value)
    }

    // MARK: Fields

    /// Returns a field's value as it is shown: of `Authorization` the scheme alone, and of OAuth's its parameters.
    package static func field(_ name: String, _ value: String) -> String {
        guard isSecret(field: name) else {
            return SecretText.mayHoldOutsideParameters(value) ? mark : target(value)
        }
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

/// Looks for scalars rather than characters: a separator with a combining scalar behind it is no character of its own.
extension StringProtocol {
    /// Returns what stands before the first scalar of a kind, or all of it.
    func part(beforeScalar isEnd: (Unicode.Scalar) -> Bool) -> SubSequence {
        self[..<(unicodeScalars.firstIndex(where: isEnd) ?? endIndex)]
    }

    /// Returns what stands behind the scalar at an index.
    func part(afterScalarAt index: Index) -> SubSequence { self[unicodeScalars.index(after: index)...] }
}
