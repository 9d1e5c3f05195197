import Bytes
import OAuthSigning

/// Finds one secret in a text, whatever way the text has of writing it: as it is, percent-encoded (once or twice), with
/// the escapes of JSON (also of JSON in a string of JSON) or HTML, any of them for some characters only, in base64, in
/// hexadecimal, backwards; broken by spaces (that were line ends) or by separators. A part of it counts too: what a
/// provider repeats may be cut, by itself or where its answer is read.
struct SecretMatcher {
    /// The number of characters in a row that are no coincidence.
    private static let leastPart = 10

    /// The number of separators that may stand between two characters.
    private static let mostSeparators = 4

    /// The least length of a part that counts; nil when only the whole does.
    private let leastPart: Int?
    /// Indicates whether it is in no text by coincidence.
    let isLong: Bool
    /// The beginning of the secret in each of its spellings, and of each part of it that is long enough, by the first
    /// byte of the character there.
    private let beginnings: [[ArraySlice<Unicode.Scalar>]]

    /// - Parameter countsParts: Whether a part of it is a secret, too.
    init(_ secret: Secret, countsParts: Bool = true) {
        let bytes = secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        isLong = bytes.count >= Self.leastPart
        // Of a short secret too little is left to be told from other text.
        let places = 0...(bytes.count < 8 ? 0 : 2)
        let base64 = places.map { Self.base64(of: bytes, after: $0, .standard) }
        let urlSafe = places.map { Self.base64(of: bytes, after: $0, .urlSafe) }
        let encoded = String(decoding: PercentEncoding.encode(bytes), as: UTF8.self)
        let text = condensed(secret.revealed())
        var spellings = [encoded, text]
        // Of a shorter one either could be a word, or a number.
        if bytes.count >= 6 {
            let digits = Hexadecimal.encode(bytes)
            spellings += [String(text.reversed()), digits, digits.uppercased()]
        }
        let leastPart = countsParts ? Self.leastPart : nil
        var beginnings = [[ArraySlice<Unicode.Scalar>]](repeating: [], count: 256)
        for needle in [spellings.map { Array($0.unicodeScalars) }, base64, urlSafe].joined() {
            let wanted = min(needle.count, leastPart ?? .max)
            for start in needle.indices.prefix(needle.count - wanted + 1) {
                for byte in needle[start].utf8.prefix(1) { beginnings[Int(byte)].append(needle[start...]) }
            }
        }
        self.leastPart = leastPart
        self.beginnings = beginnings
    }

    /// The characters that are the bytes' own where so many others precede them.
    private static func base64(
        of bytes: [UInt8],
        after count: Int,
        _ alphabet: Base64.Alphabet
    ) -> [Unicode.Scalar] {
        let whole = repeatElement(0, count: count) + bytes
        let text = Base64.encode(whole.span, alphabet: alphabet).prefix { $0 != UInt8(ascii: "=") }
        return text.dropFirst((count * 4 + 2) / 3).map { Unicode.Scalar($0) }
    }

    /// Returns where the secret, or the longest part of it, ends that begins at an index; nil when none does.
    func end(in text: EscapedText, at start: Int) -> Int? {
        var result: Int?
        text.readings(at: start) { scalar, _ in
            for byte in scalar.utf8.prefix(1) {
                for beginning in beginnings[Int(byte)] {
                    let wanted = min(beginning.count, leastPart ?? .max)
                    guard let end = Self.end(of: beginning, in: text, at: start, atLeast: wanted) else { continue }
                    result = max(end, result ?? end)
                }
            }
        }
        return result
    }

    /// Returns where as much of the beginning of `needle` ends as stands at an index; nil when it is less than
    /// `wanted`.
    private static func end(
        of needle: ArraySlice<Unicode.Scalar>,
        in text: EscapedText,
        at start: Int,
        atLeast wanted: Int
    ) -> Int? {
        // Letters and digits can be read in one way only, and most text parts from the secret at the first of them.
        var start = start
        var count = 0
        while start < text.bytes.endIndex, count < needle.count, text.bytes[start].isLetterOrDigit {
            guard let byte = UInt8(exactly: needle[needle.startIndex + count].value), byte.isLetterOrDigit else {
                break
            }
            guard byte == text.bytes[start] else { return count < wanted ? nil : start }
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
                if read == " " && text.bytes[start] != 0x20 || read == "+" { body(end) }
            }
            return
        }
        // A separator may also be the secret's own.
        let separators = text.bytes[start...].prefix(mostSeparators).prefix(while: separates)
        for start in separators.startIndex...separators.endIndex {
            text.readings(at: start) { read, end in
                // A plus was perhaps decoded as in a form, though it was in none.
                if read == scalar || scalar == "+" && read == " " { body(end) }
            }
        }
    }

    private static func separates(_ byte: UInt8) -> Bool { " -:,._|/".utf8.contains(byte) }
}
