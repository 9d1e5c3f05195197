import Bytes

/// A right signature that something happened to on the way.
enum SignatureSpelling {
    /// - Parameters:
    ///   - signature: `oauth_signature` as it was sent, decoded.
    ///   - right: The right one.
    static func finding(of signature: [UInt8], right: String) -> ComparisonFinding? {
        let (sent, right) = (signature.text, right)
        guard sent != right, !sent.isEmpty, let words = words(sent, right) else { return nil }
        return ComparisonFinding(
            cause: .signatureFormat,
            certainty: .seen,
            sentence: "The other side's signature is right but for its writing: \(words)."
        )
    }

    private static func words(_ sent: String, _ right: String) -> String? {
        let spaced = right.replacing("+", with: " ")
        if sent == spaced {
            return "each + became a blank (a space), since it was not percent-encoded as %2B"
        }
        if sent == right.lowercased() { return "it was turned into lower case" }
        if sent == right.uppercased() { return "it was turned into upper case" }
        if sent == String(right.reversed()) { return "its characters stand in the reverse order" }
        if sent == right.filter({ $0 != "+" }) { return "each + was left out" }
        if sent == right.filter({ $0 != "/" }) { return "each / was left out" }
        if sent == right.filter({ $0.isLetter || $0.isNumber }) {
            return "everything but letters and digits was left out"
        }
        if sent == spaced.filter({ $0 != "=" }) {
            return "each + became a blank (a space), and the = at its end is missing"
        }
        if sent == right.replacing("/", with: "\\/") {
            return "a backslash stands before each /, as json_encode of PHP puts it"
        }
        if sent == Markup.escaped(right) { return "it was escaped for HTML" }
        let bare = right.filter { $0 != "=" }
        if sent.count >= 10, sent.count < bare.count, right.hasPrefix(sent) {
            return "it was cut to its first \(sent.count) characters (truncated)"
        }
        if sent.hasPrefix(right) { return "something was added behind it" }
        if sent.hasSuffix(right) { return "something was added before it" }
        for (before, behind, mark) in [
            ("\"", "\"", "quotation marks"), ("'", "'", "single quotation marks"),
            ("b'", "'", "b' ', as Python shows bytes in quotation marks"), ("<", ">", "angle brackets"),
        ]
        where sent == before + right + behind { return "it is in \(mark)" }
        if sent.contains(right) { return "something was added before and behind it" }
        return nil
    }
}
