import Bytes
import FoundationEssentials
import OAuthSigning

/// Finds one secret in a text, whatever way the text has of writing it: as it is, percent-encoded (once or twice), with
/// the escapes of JSON or HTML, any of them for some characters only, in base64, in hexadecimal, backwards; broken by spaces
/// (that were line ends) or by separators. A part of it counts too: what a provider repeats may be cut, by itself or where
/// its answer is read.
struct SecretMatcher {
    /// So many characters in a row are no coincidence.
    private static let leastPart = 10

    /// That may stand between two characters.
    private static let mostSeparators = 4

    /// Nil when only the whole counts.
    private let leastPart: Int?
    /// Whether it is in no text by coincidence.
    let isLong: Bool
    /// The secret in printable characters, and the forms that keep what is not printable.
    private let needles: [[Unicode.Scalar]]

    init(_ secret: Secret) {
        let octets = secret.withOctets { octets in octets.indices.map { octets[$0] } }
        isLong = octets.count >= Self.leastPart
        // Of a short secret too little is left to be told from other text.
        let base64 = (0...(octets.count < 8 ? 0 : 2)).map { Self.base64(of: octets, after: $0) }
        let urlSafe = base64.map { $0.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 } }
        let encoded = String(decoding: PercentEncoding.encode(octets), as: UTF8.self)
        let text = condensed(secret.revealed())
        var spellings = [encoded, text]
        // Of a shorter one either could be a word, or a number.
        if octets.count >= 6 {
            let digits = octets.map { Self.hexadecimal(UInt32($0), digits: 2) }.joined()
            spellings += [String(text.reversed()), digits, digits.uppercased()]
        }
        needles = [spellings.map { Array($0.unicodeScalars) }, base64, urlSafe].flatMap { $0 }.filter { !$0.isEmpty }
        // What step 1 of reverse auth brings is full of words that are no secret.
        leastPart = encoded.contains("oauth_") ? nil : Self.leastPart
    }

    /// The characters that are the octets' own where so many others precede them.
    private static func base64(of octets: [UInt8], after count: Int) -> [Unicode.Scalar] {
        let text = Data(repeatElement(0, count: count) + octets).base64EncodedString().unicodeScalars
        return Array(text.filter { $0 != "=" }.dropFirst((count * 4 + 2) / 3))
    }

    /// Where the secret, or the longest part of it, ends that the octets begin with; nil when they begin with none. They
    /// are printable text in UTF-8.
    func end(in octets: ArraySlice<UInt8>) -> Int? {
        guard !octets.isEmpty else { return nil }
        let firsts = Self.firstOctets(of: octets)
        var result: Int?
        for needle in needles {
            let wanted = min(needle.count, leastPart ?? .max)
            for start in 0...(needle.count - wanted) {
                guard let first = needle[start].utf8.first, firsts?.contains(first) ?? true else { continue }
                guard let end = Self.end(of: needle[start...], in: octets, atLeast: wanted) else { continue }
                result = max(end, result ?? end)
            }
        }
        return result
    }

    /// Where as much of the beginning of `needle` ends as the octets begin with; nil when it is less than `wanted`.
    private static func end(
        of needle: ArraySlice<Unicode.Scalar>,
        in octets: ArraySlice<UInt8>,
        atLeast wanted: Int
    ) -> Int? {
        // All places that the characters so far may end at: `%25` is both a percent sign and three characters.
        var ends: Set<Int> = [octets.startIndex]
        var count = 0
        for scalar in needle {
            let next = ends.reduce(into: Set()) { $0.formUnion(Self.ends(of: scalar, in: octets[$1...])) }
            if next.isEmpty { break }
            ends = next
            count += 1
        }
        return count < wanted ? nil : ends.max()
    }

    /// What a character that the octets begin with, in any form, may begin with in UTF-8; nil when that takes a closer look.
    private static func firstOctets(of octets: ArraySlice<UInt8>) -> [UInt8]? {
        guard let first = octets.first, opensEscape(first) else { return Array(octets.prefix(1)) }
        guard first == UInt8(ascii: "%") else { return nil }
        let encoded = octets.dropFirst().starts(with: "25".utf8) ? [octets, octets.dropFirst(2)] : [octets]
        let digits = encoded.map { $0.dropFirst().prefix(2) }
        return [first] + digits.compactMap { UInt8(String(decoding: $0, as: UTF8.self), radix: 16) }
    }

    private static func ends(of scalar: Unicode.Scalar, in octets: ArraySlice<UInt8>) -> Set<Int> {
        if scalar == " " {
            let plus = octets.first == UInt8(ascii: "+") ? [octets.startIndex + 1] : []
            return endsOfEncoded(scalar, in: octets).union(plus).union([octets.startIndex])
        }
        // Decoded as in a form, though it was none.
        var ends: Set<Int> = scalar == "+" && octets.first == 0x20 ? [octets.startIndex + 1] : []
        // A separator may also be the secret's own.
        let separators = octets.prefix(mostSeparators).prefix(while: separates)
        for start in separators.startIndex...separators.endIndex {
            ends.formUnion(endsAtOnce(of: scalar, in: octets[start...]))
        }
        return ends
    }

    private static func separates(_ octet: UInt8) -> Bool { " -:,._|/".utf8.contains(octet) }

    private static func endsAtOnce(of scalar: Unicode.Scalar, in octets: ArraySlice<UInt8>) -> Set<Int> {
        let count = scalar.utf8.count
        var ends: Set<Int> = octets.starts(with: scalar.utf8) ? [octets.startIndex + count] : []
        guard let first = octets.first, opensEscape(first) else { return ends }
        if first == UInt8(ascii: "\\"), octets.dropFirst().starts(with: scalar.utf8) {
            ends.insert(octets.startIndex + 1 + count)
        }
        for escape in escapes(of: scalar) where octets.starts(with: escape.utf8, by: isSameLetter) {
            ends.insert(octets.startIndex + escape.utf8.count)
        }
        return ends.union(endsOfEncoded(scalar, in: octets))
    }

    /// Percent-encoded, be `%` encoded itself.
    private static func endsOfEncoded(_ scalar: Unicode.Scalar, in octets: ArraySlice<UInt8>) -> Set<Int> {
        scalar.utf8.reduce(into: [octets.startIndex]) { ends, octet in
            let digits = hexadecimal(UInt32(octet), digits: 2)
            ends = ends.reduce(into: []) { next, start in
                for spelling in ["%" + digits, "%25" + digits]
                where octets[start...].starts(with: spelling.utf8, by: isSameLetter) {
                    next.insert(start + spelling.utf8.count)
                }
            }
        }
    }

    private static func escapes(of scalar: Unicode.Scalar) -> [String] {
        let json = String(scalar).utf16.map { "\\u" + hexadecimal(UInt32($0), digits: 4) }.joined()
        let numeric = ["&#\(scalar.value);", "&#x\(hexadecimal(scalar.value, digits: 1));"]
        return [json] + numeric + (names[scalar].map { [$0] } ?? [])
    }

    private static let names: [Unicode.Scalar: String] = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;",
    ]

    private static func hexadecimal(_ number: UInt32, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// But for the case of ASCII letters.
    private static func isSameLetter(_ one: UInt8, _ other: UInt8) -> Bool {
        one == other || one ^ other == 0x20 && 0x61...0x7A ~= one | 0x20
    }

    private static func opensEscape(_ octet: UInt8) -> Bool {
        [UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&")].contains(octet)
    }
}
