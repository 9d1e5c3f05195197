import Bytes
import NIOCore

extension FieldSection {
    /// Indicates whether a field tells how many more requests the server takes, or when: `Retry-After`, and whatever is
    /// named like `RateLimit`, `X-RateLimit-Remaining` or `X-Discogs-Ratelimit`.
    package var tellsRateLimits: Bool {
        if present.contains(.retryAfter) { return true }
        let bytes = bytes.readableBytesUInt8Span
        for entry in entries where entry.known == .other {
            if Self.namesRateLimit(bytes.extracting(entry.name)) { return true }
        }
        return false
    }

    /// The lines that tell so, in order.
    package var rateLimitLines: [FieldLine] {
        filter { line in
            line.known == .retryAfter || line.known == .other && Self.namesRateLimit(line.name.readableBytesUInt8Span)
        }
    }

    /// Nearly every name is left at its first byte.
    private static func namesRateLimit(_ name: Span<UInt8>) -> Bool {
        guard name.count >= 9 else { return false }
        switch name[0] {
        case UInt8(ascii: "x"), UInt8(ascii: "X"):
            return name[1] == UInt8(ascii: "-") && (has("limit", in: name) || has("remaining", in: name))
        case UInt8(ascii: "r"), UInt8(ascii: "R"), UInt8(ascii: "f"), UInt8(ascii: "F"):
            return has("ratelimit", in: name) || has("rate-limit", in: name)
        default: return false
        }
    }

    /// - Parameter word: Letters in lower case, or a hyphen among them.
    private static func has(_ word: String, in name: Span<UInt8>) -> Bool {
        let count = word.utf8.count
        let first = word.utf8.span[0]
        var start = 0
        while start + count <= name.count {
            if name[start] | 0x20 == first, name.extracting(start..<start + count).hasPrefixIgnoringCase(word) {
                return true
            }
            start += 1
        }
        return false
    }
}
