import Bytes
import OAuthSigning

/// The place where two base strings part, character for character.
package struct BaseStringParting: Equatable, Sendable {
    package enum Part: String, Sendable {
        case method
        case uri
        case parameters
    }

    /// The number of characters that both begin with.
    package let offset: Int
    /// The part that the first difference is in, as ours is divided.
    package let part: Part
    /// The text at the first difference, in plain words rather than encoded: the method, the URI or one parameter as
    /// `name=value`; nil where one of the two has ended.
    package let ours: String?
    package let theirs: String?

    /// - Returns: Nil for equal ones.
    package init?(ours: String, theirs: String) {
        let (one, other) = (Array(ours.utf8), Array(theirs.utf8))
        guard one != other else { return nil }
        let offset = zip(one, other).prefix { $0 == $1 }.count
        self.offset = offset
        let ampersands = one[..<min(offset, one.count)].count { $0 == UInt8(ascii: "&") }
        part = ampersands == 0 ? .method : ampersands == 1 ? .uri : .parameters
        self.ours = Self.element(of: one, at: offset, in: part, beside: other)
        self.theirs = Self.element(of: other, at: offset, in: part, beside: one)
    }

    /// The method, the URI or the parameter that `offset` lies in, decoded.
    private static func element(of bytes: [UInt8], at offset: Int, in part: Part, beside other: [UInt8]) -> String? {
        if offset == bytes.count, part == .parameters { return nil }
        let parts = bytes.split(separator: UInt8(ascii: "&"), maxSplits: 2, omittingEmptySubsequences: false)
        switch part {
        case .method: return parts.first.map { text($0) }
        case .uri: return parts.count > 1 ? text(PercentEncoding.decodeLeniently(Array(parts[1]).span)[...]) : nil
        case .parameters:
            return parts.count > 2 ? parameter(of: parts[2], at: offset, isLast: offset == other.count) : nil
        }
    }

    /// - Parameter isLast: Whether the other list has ended, so that what stands behind a separator is what it lacks.
    private static func parameter(of list: ArraySlice<UInt8>, at offset: Int, isLast: Bool) -> String? {
        let isEncoded = !list.contains(UInt8(ascii: "="))
        var start = list.startIndex
        for range in separators(in: list, areEncoded: isEncoded) + [list.endIndex..<list.endIndex] {
            let end = isLast ? range.lowerBound : range.upperBound
            if offset < end || range.upperBound == list.endIndex {
                let pair = Array(list[start..<range.lowerBound])
                if pair.isEmpty { return nil }
                let once = isEncoded ? PercentEncoding.decodeLeniently(pair.span) : pair
                return text(PercentEncoding.decodeLeniently(once.span)[...])
            }
            start = range.upperBound
        }
        return nil
    }

    /// Returns where one parameter ends and the next begins: `%26` in either case, or `&` in a list that was never
    /// encoded.
    private static func separators(in list: ArraySlice<UInt8>, areEncoded: Bool) -> [Range<Int>] {
        let separator = Array((areEncoded ? "%26" : "&").utf8)
        return list.indices.filter { list[$0...].starts(with: separator) }.map { $0..<$0 + separator.count }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
