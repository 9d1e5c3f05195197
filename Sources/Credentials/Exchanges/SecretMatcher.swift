import FoundationEssentials
import OAuthSigning

/// Finds one secret in a text, whatever way the text has of writing it: as it is, percent-encoded (once or twice), with
/// the escapes of JSON or HTML, any of them for some characters only, broken by spaces (that were line ends), in base64.
struct SecretMatcher {
    /// The secret in printable characters, and the forms that keep what is not printable.
    private let needles: [[Unicode.Scalar]]

    init(_ secret: Secret) {
        let octets = secret.withOctets { octets in octets.indices.map { octets[$0] } }
        let base64 = Data(octets).base64EncodedString().unicodeScalars.filter { $0 != "=" }
        let urlSafe: [Unicode.Scalar] = base64.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
        let encoded = String(decoding: PercentEncoding.encode(octets), as: UTF8.self)
        needles =
            [encoded, printable(secret.revealed())].map { Array($0.unicodeScalars) }.filter { !$0.isEmpty }
            + [Array(base64), urlSafe]
    }

    /// Where the secret ends that the octets begin with; nil when they do not. They are printable text in UTF-8.
    func end(in octets: ArraySlice<UInt8>) -> Int? {
        guard let first = octets.first else { return nil }
        for needle in needles {
            guard first == needle.first?.utf8.first || Self.opensEscape(first) else { continue }
            // All places that the characters so far may end at: `%25` is both a percent sign and three characters.
            var ends: Set<Int> = [octets.startIndex]
            for scalar in needle {
                ends = ends.reduce(into: []) { $0.formUnion(Self.ends(of: scalar, in: octets[$1...])) }
                if ends.isEmpty { break }
            }
            if let end = ends.max() { return end }
        }
        return nil
    }

    private static func ends(of scalar: Unicode.Scalar, in octets: ArraySlice<UInt8>) -> Set<Int> {
        if scalar == " " {
            let plus = octets.first == UInt8(ascii: "+") ? [octets.startIndex + 1] : []
            return endsOfEncoded(scalar, in: octets).union(plus).union([octets.startIndex])
        }
        let rest = octets.drop { $0 == 0x20 }
        let count = scalar.utf8.count
        var ends: Set<Int> = []
        if rest.starts(with: scalar.utf8) { ends.insert(rest.startIndex + count) }
        guard let first = rest.first, opensEscape(first) else { return ends }
        if first == UInt8(ascii: "\\"), rest.dropFirst().starts(with: scalar.utf8) {
            ends.insert(rest.startIndex + 1 + count)
        }
        for escape in escapes(of: scalar) where rest.starts(with: escape.utf8, by: isSameLetter) {
            ends.insert(rest.startIndex + escape.utf8.count)
        }
        return ends.union(endsOfEncoded(scalar, in: rest))
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
