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
    /// Where the secret begins in each of its spellings, and each part of it that is long enough, by the first octet of the
    /// character there.
    private let beginnings: [[ArraySlice<Unicode.Scalar>]]

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
        // What step 1 of reverse auth brings is full of words that are no secret.
        let leastPart = encoded.contains("oauth_") ? nil : Self.leastPart
        var beginnings = [[ArraySlice<Unicode.Scalar>]](repeating: [], count: 256)
        for needle in [spellings.map { Array($0.unicodeScalars) }, base64, urlSafe].joined() {
            let wanted = min(needle.count, leastPart ?? .max)
            for start in needle.indices.prefix(needle.count - wanted + 1) {
                for octet in needle[start].utf8.prefix(1) { beginnings[Int(octet)].append(needle[start...]) }
            }
        }
        self.leastPart = leastPart
        self.beginnings = beginnings
    }

    /// The characters that are the octets' own where so many others precede them.
    private static func base64(of octets: [UInt8], after count: Int) -> [Unicode.Scalar] {
        let text = Data(repeatElement(0, count: count) + octets).base64EncodedString().unicodeScalars
        return Array(text.filter { $0 != "=" }.dropFirst((count * 4 + 2) / 3))
    }

    /// Where the secret, or the longest part of it, ends that begins at an index; nil when none does.
    func end(in text: EscapedText, at start: Int) -> Int? {
        var result: Int?
        text.readings(at: start) { scalar, _ in
            for octet in scalar.utf8.prefix(1) {
                for beginning in beginnings[Int(octet)] {
                    let wanted = min(beginning.count, leastPart ?? .max)
                    guard let end = Self.end(of: beginning, in: text, at: start, atLeast: wanted) else { continue }
                    result = max(end, result ?? end)
                }
            }
        }
        return result
    }

    /// Where as much of the beginning of `needle` ends as stands at an index; nil when it is less than `wanted`.
    private static func end(
        of needle: ArraySlice<Unicode.Scalar>,
        in text: EscapedText,
        at start: Int,
        atLeast wanted: Int
    ) -> Int? {
        // Letters and digits can be read in one way only, and most text parts from the secret at the first of them.
        var start = start
        var count = 0
        while start < text.octets.endIndex, count < needle.count, isPlain(text.octets[start]) {
            guard let octet = UInt8(exactly: needle[needle.startIndex + count].value), isPlain(octet) else { break }
            guard octet == text.octets[start] else { return count < wanted ? nil : start }
            start += 1
            count += 1
        }
        // All places that the characters so far may end at.
        var ends = [start]
        for scalar in needle.dropFirst(count) {
            var next: [Int] = []
            for start in ends {
                Self.ends(of: scalar, in: text, at: start) { end in
                    if !next.contains(end) { next.append(end) }
                }
            }
            if next.isEmpty { break }
            ends = next
            count += 1
        }
        return count < wanted ? nil : ends.max()
    }

    private static func ends(of scalar: Unicode.Scalar, in text: EscapedText, at start: Int, _ body: (Int) -> Void) {
        if scalar == " " {
            // It may have been left out, and is then a separator where it was not; and it is a plus in a form.
            body(start)
            text.readings(at: start) { read, end in
                if read == " " && text.octets[start] != 0x20 || read == "+" { body(end) }
            }
            return
        }
        // A separator may also be the secret's own.
        let separators = text.octets[start...].prefix(mostSeparators).prefix(while: separates)
        for start in separators.startIndex...separators.endIndex {
            text.readings(at: start) { read, end in
                // A plus was perhaps decoded as in a form, though it was in none.
                if read == scalar || scalar == "+" && read == " " { body(end) }
            }
        }
    }

    private static func isPlain(_ octet: UInt8) -> Bool {
        0x30...0x39 ~= octet || 0x41...0x5A ~= octet || 0x61...0x7A ~= octet
    }

    private static func separates(_ octet: UInt8) -> Bool { " -:,._|/".utf8.contains(octet) }

    private static func hexadecimal(_ number: UInt32, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
