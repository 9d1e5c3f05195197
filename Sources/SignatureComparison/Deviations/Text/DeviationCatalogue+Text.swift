import Bytes
import OAuthSigning

// What becomes of the base string as a whole (RFC 5849, section 3.4.1.1).
extension DeviationCatalogue {
    var textDeviations: [Deviation] { finishDeviations + partDeviations }

    private func text(_ cause: ComparisonCause, _ words: String, _ finish: @escaping @Sendable ([UInt8]) -> [UInt8])
        -> Deviation
    {
        Deviation(cause, "The other side's base string \(words).") { $0.finish = finish }.of(.text, isRare: true)
    }

    private var finishDeviations: [Deviation] {
        [
            text(.textEncoded, "was percent-encoded once more as a whole before it was signed") {
                PercentEncoding.encode($0)
            },
            text(.textEncoded, "was percent-decoded before it was signed (it is not encoded any more)") {
                PercentEncoding.decodeLeniently($0.span)
            },
            text(.textEncoded, "was percent-decoded twice before it was signed (nothing is encoded any more)") {
                PercentEncoding.decodeLeniently(PercentEncoding.decodeLeniently($0.span).span)
            },
            text(.textEncoded, "was encoded as Base64 before it was hashed") { Base64.encode($0.span) },
            text(.textEncoded, "was encoded as Base64 for URLs before it was hashed") { bytes in
                Base64.encode(bytes.span, alphabet: .urlSafe).filter { $0 != UInt8(ascii: "=") }
            },
            text(.textEncoded, "was written in hexadecimal digits before it was hashed") {
                Hexadecimal.encode($0).bytes
            },
            text(.textEncoded, "was encoded as encodeURI of JavaScript does, once more") {
                Escaping(unescaped: ";,/?:@&=+$!*'()#".bytes).escape($0)
            },
            text(
                .textCharacterSet,
                "was hashed as UTF-16 (two bytes for each character), as Encoding.Unicode of .NET does"
            ) { UTF16Text.littleEndian($0) },
            text(.textCharacterSet, "was hashed as UTF-16 (two bytes for each character), the high byte first") {
                UTF16Text.bigEndian($0)
            },
            text(.textCharacterSet, "was hashed as UTF-16 with a byte-order mark (FF FE)") {
                [0xFF, 0xFE] + UTF16Text.littleEndian($0)
            },
            text(
                .textCharacterSet,
                "was hashed as UTF-16, high byte first, with a byte-order mark (FE FF), as Java's UTF-16 does"
            ) { [0xFE, 0xFF] + UTF16Text.bigEndian($0) },
            text(.textCharacterSet, "was hashed as UTF-32 (four bytes for each character)") {
                $0.text.unicodeScalars.flatMap { scalar in
                    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: scalar.value >> $0) }
                }
            },
            text(.textCharacterSet, "was hashed with a byte-order mark (BOM) before it") { "\u{FEFF}".bytes + $0 },
            text(.textEnd, "ends in a line feed (\\n), as echo writes it; use printf or echo -n") { $0 + "\n".bytes },
            text(.textEnd, "ends in a line end (\\r\\n)") { $0 + "\r\n".bytes },
            text(.textEnd, "ends in a blank (space)") { $0 + " ".bytes },
            text(.textEnd, "ends in a & (ampersand)") { $0 + "&".bytes },
            text(.textEnd, "ends in an encoded & (%26)") { $0 + "%26".bytes },
            text(.textEnd, "ends in a zero byte (NUL), as strings of C do") { $0 + [0] },
            text(.textEnd, "begins with a blank (space)") { " ".bytes + $0 },
            text(.textEnd, "begins with a & (ampersand)") { "&".bytes + $0 },
            text(.textEnd, "begins with a line feed (\\n)") { "\n".bytes + $0 },
            text(.textEnd, "was signed in quotation marks") { "\"".bytes + $0 + "\"".bytes },
            text(.textEnd, "was signed in single quotation marks") { "'".bytes + $0 + "'".bytes },
            text(.textCase, "was turned into lower case") { $0.map(\.lowercasedASCII) },
            text(.textCase, "was turned into upper case") { $0.map(\.uppercasedASCII) },
            text(.textEncoded, "was escaped for HTML: &amp; stands for &") {
                $0.replacing("&".bytes, with: "&amp;".bytes)
            },
            text(.textEncoded, "has %20 for each %2520: a space of a value is encoded once") {
                $0.replacing("%2520".bytes, with: "%20".bytes)
            },
            text(.textEncoded, "has + for each %2520, the space of values") {
                $0.replacing("%2520".bytes, with: "%2B".bytes)
            },
            text(.textEncoded, "has %20 for each %252B: a plus sign of a value became a space") {
                $0.replacing("%252B".bytes, with: "%2520".bytes)
            },
            text(.textEncoded, "has %7E for ~ everywhere") { $0.replacing("~".bytes, with: "%7E".bytes) },
            text(.textEncoded, "has ~ for each encoded %7E") { $0.replacing("%257E".bytes, with: "~".bytes) },
            text(.textEncoded, "was written in hexadecimal digits before it was hashed") {
                Hexadecimal.encode($0).bytes
            },
            text(.textEncoded, "was escaped for JSON: \\u0026 stands for &") {
                $0.replacing("&".bytes, with: "\\u0026".bytes)
            },
            text(.textEncoded, "has %% for each percent sign (%), escaped for printf or cmd.exe") {
                $0.replacing("%".bytes, with: "%%".bytes)
            },
            text(.textEncoded, "has all its escapes in lower-case digits (%3d, %252f)") { Self.lowercaseEscapes($0) },
            text(.textEnd, "begins with -n and ends in a line feed (\\n), as echo -n of sh prints it; use printf") {
                "-n ".bytes + $0 + "\n".bytes
            },
            text(.textEnd, "ends in a blank and a line end (\\r\\n), as echo of cmd.exe writes it") {
                $0 + " \r\n".bytes
            },
            text(.textEnd, "is there twice, one behind the other") { $0 + $0 },
            text(.textEnd, "has line ends within it, where it was wrapped after 76 characters") {
                Self.wrapped($0, 76)
            },
            text(.textEnd, "has line ends within it, where it was wrapped after 64 characters") {
                Self.wrapped($0, 64)
            },
            text(.textEnd, "has line ends within it, where it was wrapped after 80 characters") {
                Self.wrapped($0, 80)
            },
            text(.textEnd, "was cut to its first 255 bytes") { Array($0.prefix(255)) },
            text(.textEnd, "was cut to its first 256 bytes") { Array($0.prefix(256)) },
            text(.textEnd, "was cut to its first 512 bytes") { Array($0.prefix(512)) },
            text(.textEncoded, "has its spaces left out") { $0.replacing("%2520".bytes, with: []) },
        ]
    }

    private static func wrapped(_ bytes: [UInt8], _ width: Int) -> [UInt8] {
        Array(
            stride(from: 0, to: bytes.count, by: width).map { Array(bytes[$0..<min($0 + width, bytes.count)]) }.joined(
                separator: "\n".bytes
            )
        )
    }

    private static func lowercaseEscapes(_ bytes: [UInt8]) -> [UInt8] {
        var changed = bytes
        for index in bytes.indices where index + 2 < bytes.count && bytes[index] == UInt8(ascii: "%") {
            changed[index + 1] = bytes[index + 1].lowercasedASCII
            changed[index + 2] = bytes[index + 2].lowercasedASCII
        }
        return changed
    }

    /// Other ways to put method, URI and parameters together.
    private var partDeviations: [Deviation] {
        func parts(
            _ words: String,
            _ join: @escaping @Sendable (_ method: [UInt8], _ uri: [UInt8], _ list: [UInt8]) -> [UInt8]
        ) -> Deviation {
            text(.textParts, words) { bytes in
                let parts = bytes.split(separator: UInt8(ascii: "&"), maxSplits: 2, omittingEmptySubsequences: false)
                    .map { Array($0) }
                return parts.count == 3 ? join(parts[0], parts[1], parts[2]) : bytes
            }
        }
        let and = "&".bytes
        return [
            parts("lacks the method and its & in front") { $1 + and + $2 },
            parts("lacks the URI (URL)") { method, _, list in method + and + list },
            parts("is the parameters only: method and URI (URL) are missing") { _, _, list in list },
            parts("lacks the parameters: it is method and URI only") { method, uri, _ in method + and + uri },
            parts("lacks the parameters: it is method and URI only, with a & at its end") { method, uri, _ in
                method + and + uri + and
            },
            parts("is the URI (URL) only") { _, uri, _ in uri },
            parts("has the URI (URL) before the method, in another order") { $1 + and + $0 + and + $2 },
            parts("has the parameters before the URI (URL), in another order") { $0 + and + $2 + and + $1 },
            parts("has no & (ampersand) as separator between method, URI and parameters") { $0 + $1 + $2 },
            parts("has line ends in place of & (ampersand) as separator between method, URI and parameters") {
                $0 + "\n".bytes + $1 + "\n".bytes + $2
            },
            parts("has an encoded & (ampersand, %26) as separator between method, URI and parameters") {
                $0 + "%26".bytes + $1 + "%26".bytes + $2
            },
            parts("has blanks (spaces) in place of & (ampersand) as separator between method, URI and parameters") {
                $0 + " ".bytes + $1 + " ".bytes + $2
            },
            parts("has a ? (question mark) between URI and parameters, where a & (ampersand) is the separator") {
                $0 + and + $1 + "?".bytes + $2
            },
            parts(
                "has an encoded ? (question mark, %3F) between URI and parameters, where a & (ampersand) is the separator"
            ) { $0 + and + $1 + "%3F".bytes + $2 },
            parts("has no & (ampersand) as separator between method and URI") { $0 + $1 + and + $2 },
            parts("has no & (ampersand) as separator between URI and parameters") { $0 + and + $1 + $2 },
            parts("has two & (ampersands) as separator between URI and parameters") { $0 + and + $1 + and + and + $2 },
            parts("has an encoded & (%26) as separator between URI and parameters") {
                $0 + and + $1 + "%26".bytes + $2
            },
            parts("has an empty method") { _, uri, list in and + uri + and + list },
            parts("has undefined for the method") { _, uri, list in "undefined".bytes + and + uri + and + list },
            parts("has null for the method") { _, uri, list in "null".bytes + and + uri + and + list },
            parts("has | in place of & (ampersand) as separator between method, URI and parameters") {
                $0 + "|".bytes + $1 + "|".bytes + $2
            },
            parts("has + in place of & (ampersand) as separator between method, URI and parameters") {
                $0 + "+".bytes + $1 + "+".bytes + $2
            },
            parts("has blanks (spaces) around & (ampersand), the separator between method, URI and parameters") {
                $0 + " & ".bytes + $1 + " & ".bytes + $2
            },
        ]
    }
}
