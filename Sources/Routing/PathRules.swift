/// The prefixes of the path that an API's requests are confined to.
struct PathRules: Sendable {
    enum Verdict: Hashable {
        case permitted
        case outside
        /// The path has a dot-segment: where it leads depends on who reads it, so no prefix of it says anything.
        case ambiguous
    }

    private let prefixes: [[UInt8]]

    init(prefixes: [String]) {
        self.prefixes = prefixes.map { Array($0.utf8) }
    }

    /// - Parameter target: an origin-form request-target, as the octets that are sent.
    func judge(_ target: Span<UInt8>) -> Verdict {
        var end = 0
        while end < target.count, target[end] != UInt8(ascii: "?"), target[end] != UInt8(ascii: "#") { end += 1 }
        let path = target.extracting(0..<end)
        if Self.hasDotSegment(path) { return .ambiguous }
        return prefixes.contains { Self.isPrefix($0.span, of: path) } ? .permitted : .outside
    }

    /// An empty path stands for `/`.
    private static func isPrefix(_ prefix: Span<UInt8>, of path: Span<UInt8>) -> Bool {
        if path.count == 0 { return prefix.count == 1 && prefix[0] == UInt8(ascii: "/") }
        guard path.count >= prefix.count else { return false }
        return path.extracting(0..<prefix.count).equals(prefix)
    }

    /// Whether a segment is `.` or `..` for any of the readers there are: percent-encoded or not, between slashes or
    /// backslashes, encoded or not, with or without parameters after a semicolon.
    static func hasDotSegment(_ path: Span<UInt8>) -> Bool {
        var dots = 0
        var isPlain = true
        var isParameter = false
        var index = 0
        while index < path.count {
            var octet = path[index]
            index += 1
            if octet == UInt8(ascii: "%"), index + 1 < path.count, let high = hexadecimalValue(path[index]),
                let low = hexadecimalValue(path[index + 1])
            {
                octet = high << 4 | low
                index += 2
            }
            switch octet {
            case UInt8(ascii: "/"), UInt8(ascii: "\\"):
                if isPlain, dots == 1 || dots == 2 { return true }
                dots = 0
                isPlain = true
                isParameter = false
            case _ where isParameter:
                break
            case UInt8(ascii: ";"):
                isParameter = true
            case UInt8(ascii: "."):
                dots += 1
            default:
                isPlain = false
            }
        }
        return isPlain && (dots == 1 || dots == 2)
    }
}
