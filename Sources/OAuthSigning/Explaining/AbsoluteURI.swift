import Bytes

/// A URI as it was written, cut into the parts that a request is made of; no byte is changed, decoded or refused.
package struct AbsoluteURI: Equatable, Sendable {
    /// The part before `://`.
    package var scheme: [UInt8]
    /// Host and port; user information, which is never sent in Host, is left out.
    package var authority: [UInt8]
    /// Path and query, possibly empty; the fragment, which is never sent, is left out.
    package var target: [UInt8]

    /// Splits a URI; nil without a scheme or without a host.
    package init?(_ bytes: Span<UInt8>) {
        guard let colon = bytes.firstIndex(where: { $0 == UInt8(ascii: ":") }), colon > 0,
            bytes.count >= colon + 3,
            bytes[colon + 1] == UInt8(ascii: "/"), bytes[colon + 2] == UInt8(ascii: "/")
        else { return nil }
        let rest = bytes.extracting((colon + 3)...)
        let authorityEnd =
            rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
            ?? rest.count
        var authority = rest.extracting(first: authorityEnd).array[...]
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        guard !authority.isEmpty, authority.first != UInt8(ascii: ":") else { return nil }
        let target = rest.extracting(authorityEnd...)
        let targetEnd = target.firstIndex { $0 == UInt8(ascii: "#") } ?? target.count
        scheme = bytes.extracting(first: colon).array
        self.authority = Array(authority)
        self.target = target.extracting(first: targetEnd).array
    }
}
