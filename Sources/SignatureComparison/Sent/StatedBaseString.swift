import Bytes
import OAuthSigning

/// A base string that the other side tells it signed, or expected.
package struct StatedBaseString: Sendable {
    let text: String
    /// The method and the URI, both in the case that they have; the URI decoded.
    let method: String
    let uri: String
    /// All its parameters, decoded, in its order; not asked whether they are encoded well.
    let parameters: [RecipeParameter]

    /// - Returns: Nil for what has no three parts with `&` between, the second of them a URI, or a part of one.
    init?(_ bytes: [UInt8]) {
        var text = String(decoding: bytes, as: UTF8.self)
        while text.last?.isWhitespace ?? false { text.removeLast() }
        // Some come back inside of HTML or XML.
        if text.contains("&amp;") { text = text.replacing("&amp;", with: "&") }
        let parts = text.split(separator: "&", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, !parts[0].contains("=") else { return nil }
        var uriBytes = Array(parts[1].utf8)
        for _ in 0..<3 where !uriBytes.contains(UInt8(ascii: ":")) && !uriBytes.contains(UInt8(ascii: "/")) {
            uriBytes = PercentEncoding.decodeLeniently(uriBytes.span)
        }
        // Some leave out the scheme, or the host too; then it must be seen by the parameters that it is one.
        let isURI =
            uriBytes.prefix(4).map(\.lowercasedASCII).elementsEqual("http".utf8) && uriBytes.contains(UInt8(ascii: ":"))
        guard isURI || parts[0].allSatisfy(\.isLetter) && parts[2].lowercased().contains("oauth_") else { return nil }
        self.text = text
        method = String(parts[0])
        uri = String(decoding: uriBytes, as: UTF8.self)
        // Encoded once as a whole, or never, or too often.
        var list = Array(parts[2].utf8)
        for _ in 0..<3 where !list.contains(UInt8(ascii: "=")) { list = PercentEncoding.decodeLeniently(list.span) }
        parameters = WrittenPair.pairs(of: list).map { pair in
            let (name, value) = pair.decoded(plusIsSpace: false)
            return RecipeParameter(protocolName: name, value: value)
        }
    }
}
