import Bytes

/// The prefixes of the path that an API's requests are confined to.
struct PathRules: Sendable {
    enum Verdict: Hashable {
        case permitted
        case outside
        /// The destination of the path depends on who reads it, so no prefix of it says anything.
        case ambiguous
    }

    private let prefixes: [[UInt8]]

    init(prefixes: [String]) {
        self.prefixes = prefixes.map { Array($0.utf8) }
    }

    /// - Parameter target: An origin-form request-target, as the bytes that are sent.
    func judge(_ target: Span<UInt8>) -> Verdict {
        var end = 0
        while end < target.count, target[end] != UInt8(ascii: "?"), target[end] != UInt8(ascii: "#") { end += 1 }
        let path = target.extracting(0..<end)
        if Self.isAmbiguous(path) { return .ambiguous }
        return prefixes.contains { Self.isPrefix($0.span, of: path) } ? .permitted : .outside
    }

    /// An empty path stands for `/`.
    private static func isPrefix(_ prefix: Span<UInt8>, of path: Span<UInt8>) -> Bool {
        if path.count == 0 { return prefix.count == 1 && prefix[0] == UInt8(ascii: "/") }
        guard path.count >= prefix.count else { return false }
        return path.extracting(0..<prefix.count).equals(prefix)
    }

    /// More than readers decode in a row.
    private static let mostDecodings = 4

    /// Returns whether some reader finds another path in it, be it by decoding more than once.
    static func isAmbiguous(_ path: Span<UInt8>) -> Bool {
        if isMisleading(path) { return true }
        guard path.indices.contains(where: { path[$0] == UInt8(ascii: "%") }) else { return false }
        var bytes = PercentEncoding.decodeLeniently(path)
        for _ in 1..<mostDecodings {
            if isMisleading(bytes.span) { return true }
            let next = PercentEncoding.decodeLeniently(bytes.span)
            if next == bytes { return false }
            bytes = next
        }
        return true
    }

    /// Returns whether it has a dot-segment, the end of a text, overlong UTF-8 or an escape of IIS, before it is
    /// decoded any further.
    private static func isMisleading(_ path: Span<UInt8>) -> Bool {
        for index in path.indices
        where path[index] == 0 || isOverlong(path, at: index) || isUnicodeEscape(path, at: index) {
            return true
        }
        return PathSegment.isDotSegment(in: path)
    }

    /// Returns whether a character takes more bytes than it needs (RFC 3629, section 3), which some readers let pass
    /// for ASCII.
    private static func isOverlong(_ bytes: Span<UInt8>, at index: Int) -> Bool {
        let next = index + 1 < bytes.count ? bytes[index + 1] : 0
        return switch bytes[index] {
        case 0xC0, 0xC1: true
        case 0xE0: 0x80..<0xA0 ~= next
        case 0xF0: 0x80..<0x90 ~= next
        // Of five and six bytes, which old decoders still take (RFC 2279, section 2).
        case 0xF8: 0x80..<0x88 ~= next
        case 0xFC: 0x80..<0x84 ~= next
        default: false
        }
    }

    /// Returns whether an escape `%uXXXX` begins there, which IIS decodes. Percent-encoding it is not (RFC 3986,
    /// section 2.1), and which character becomes of it is for the server's code page to say.
    private static func isUnicodeEscape(_ bytes: Span<UInt8>, at index: Int) -> Bool {
        guard bytes[index] == UInt8(ascii: "%"), index + 5 < bytes.count,
            bytes[index + 1] | 0x20 == UInt8(ascii: "u")
        else { return false }
        return (2...5).allSatisfy { bytes[index + $0].hexadecimalValue != nil }
    }
}
