import Bytes
import OAuthSigning
import SignatureComparison

/// Finds the signature base string that a provider shows as the one it expected.
package enum ExpectedBaseString {
    /// The words that providers put before it, in lower case: python-oauth2 (Discogs, Khan Academy), Mastercard,
    /// pecl/oauth (Flickr, Magento 1), Atlassian.
    private static let marks = [
        "signature base string: ", "expected base string: ", "debug_sbs=", "oauth_signature_base_string=",
    ].map { Array($0.utf8) }
    private static let limit = 8_192

    /// Returns the range of the words that announce it; nil when there are none.
    static func mark(in text: [UInt8]) -> Range<Int>? {
        let lowered = ByteSearch.lowercased(text)
        for mark in marks {
            if let start = ByteSearch.index(of: mark, in: lowered) { return start..<(start + mark.count) }
        }
        return nil
    }

    /// The base string after the first mark; nil when what follows is none, such as the two secrets that python-oauth2
    /// shows of a PLAINTEXT signature.
    package static func find(in text: [UInt8]) -> String? {
        guard let mark = mark(in: text) else { return nil }
        return beginning(text[mark.upperBound...])
    }

    /// The first base string in a text in which something stands before it, whatever that is.
    package static func embedded(in text: [UInt8]) -> String? {
        let lowered = ByteSearch.lowercased(text)
        let starts = ["&http%3a", "&https%3a"].compactMap { ByteSearch.index(of: Array($0.utf8), in: lowered) }
        guard let uri = starts.min() else { return nil }
        let method = text[..<uri].reversed().prefix(while: \.isUppercase).count
        return uri > method ? beginning(text[(uri - method)...]) : nil
    }

    /// The base string that a text begins with.
    private static func beginning(_ text: ArraySlice<UInt8>) -> String? {
        let end: Set<UInt8> = [UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: "\\")]
        var bytes = Array(text.prefix { 0x21...0x7E ~= $0 && !end.contains($0) })
        bytes = withoutHTMLEscapes(bytes)
        let method = bytes.prefix(while: \.isUppercase)
        if bytes.dropFirst(method.count).starts(with: "%26http".utf8) {
            bytes = PercentEncoding.decode(bytes.prefix { $0 != UInt8(ascii: "&") }) ?? []
        }
        guard method.count >= 3, bytes.count <= limit,
            ["&http%3a", "&https%3a"].contains(where: {
                ByteSearch.lowercased(bytes.dropFirst(method.count).prefix(10)).starts(with: $0.utf8)
            })
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func withoutHTMLEscapes(_ bytes: [UInt8]) -> [UInt8] {
        let ampersand = Array("&amp;".utf8)
        var result: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.first {
            result.append(byte)
            rest = rest.dropFirst(rest.starts(with: ampersand) ? ampersand.count : 1)
        }
        return result
    }

    /// Returns whether a secret is within it, in the clear or behind the encodings of a base string: parameters can be
    /// passwords.
    static func shows(_ secrets: [Secret], in baseString: String) -> Bool {
        var bytes = Array(baseString.utf8)
        for _ in 0...3 {
            for secret in secrets where !secret.isEmpty {
                let needle = secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
                if ByteSearch.index(of: needle, in: bytes) != nil { return true }
            }
            bytes = PercentEncoding.decode(bytes) ?? bytes
        }
        return false
    }

    /// Returns the names of the parameters in it, decoded.
    static func names(in baseString: String) -> String {
        let encoded = baseString.split(separator: "&").last ?? ""
        let parameters = PercentEncoding.decodeText(encoded.utf8) ?? String(encoded)
        let names = parameters.split(separator: "&").map { $0.prefix { $0 != "=" } }
        return names.map { PercentEncoding.decodeText($0.utf8) ?? String($0) }.joined(separator: "&")
    }
}

extension BaseStringParting {
    /// The place where they part, in a few words; without values, which may be nobody else's business.
    var place: String {
        switch part {
        case .method: return "the method"
        case .uri: return "the address (scheme, host, port or path)"
        case .parameters: break
        }
        switch (Self.name(theirs), Self.name(ours)) {
        case (let theirs?, let ours?) where theirs == ours: return "the value of parameter \(theirs)"
        case (let theirs?, let ours?): return "parameter \(theirs) there, parameter \(ours) here"
        case (let theirs?, nil): return "parameter \(theirs), which is not signed here"
        case (nil, let ours?): return "parameter \(ours), which is not signed there"
        case (nil, nil): return "character \(offset + 1)"
        }
    }

    private static func name(_ parameter: String?) -> String? {
        parameter.map { condensed($0.prefix { $0 != "=" }, limit: 60) }
    }
}
