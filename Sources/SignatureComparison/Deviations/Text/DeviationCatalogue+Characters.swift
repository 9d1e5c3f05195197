import Bytes
import OAuthSigning

// Text in another character set or another form; it must be UTF-8 (RFC 5849, section 3.6).
extension DeviationCatalogue {
    var characterDeviations: [Deviation] {
        let isASCII =
            reference.parameters.allSatisfy { ($0.name + $0.value).allSatisfy { $0 < 128 } }
            && PercentEncoding.decodeLeniently(reference.uri.path.span).allSatisfy { $0 < 128 }
        return wideDeviations
            + (isASCII
                ? []
                : changes.enumerated().flatMap { index, change in change.deviations(isRare: index > 0) }
                    + unencodedDeviations)
    }

    /// All names and values in UTF-16, the protocol's too.
    private var wideDeviations: [Deviation] {
        let forms: [(String, @Sendable ([UInt8]) -> [UInt8])] = [
            ("low", { UTF16Text.littleEndian($0) }), ("high", { UTF16Text.bigEndian($0) }),
        ]
        return forms.map { first, change in
            Deviation(
                .characterSet,
                "The other side encoded all names and values in UTF-16 (two bytes for each character), the \(first) byte first."
            ) { recipe in
                for index in recipe.parameters.indices {
                    recipe.parameters[index].name = change(recipe.parameters[index].name)
                    recipe.parameters[index].value = change(recipe.parameters[index].value)
                }
            }
        }
        .of(.characters, isRare: true)
    }

    /// One thing that may be done to text with other characters than those of ASCII.
    private struct Change: Sendable {
        let cause: ComparisonCause
        let words: String
        var isEncoded = false
        let change: @Sendable ([UInt8]) -> [UInt8]

        func deviations(isRare: Bool) -> [Deviation] {
            let parameters = Deviation(cause, "The other side \(words).") { recipe in
                DeviationCatalogue.change(&recipe) { parameter in
                    (parameter.name, parameter.value) = (change(parameter.name), change(parameter.value))
                    if isEncoded { parameter.isEncoded = true }
                }
            }
            let path = Deviation(cause, "In the path the other side \(words).") { recipe in
                recipe.uri.path = Self.path(recipe.uri.path, isEncoded: isEncoded, change)
            }
            let both = Deviation(cause, "In the path too the other side \(words).") { recipe in
                parameters.change(&recipe)
                path.change(&recipe)
            }
            let values = Deviation(cause, "In the values alone, not in the names, the other side \(words).") { recipe in
                DeviationCatalogue.change(&recipe) { parameter in
                    parameter.value = change(parameter.value)
                    if isEncoded {
                        parameter.name = PercentEncoding.encode(parameter.name)
                        parameter.isEncoded = true
                    }
                }
            }
            return [parameters, path, both, values].enumerated().map { $1.of(.characters, isRare: isRare || $0 > 0) }
        }

        /// Each segment, as it is encoded on the way.
        private static func path(_ path: [UInt8], isEncoded: Bool, _ change: ([UInt8]) -> [UInt8]) -> [UInt8] {
            let segments = DeviationCatalogue.segments(path).map { segment in
                let decoded = PercentEncoding.decodeLeniently(segment.span)
                let changed = change(decoded)
                if changed == decoded { return segment }
                return isEncoded ? changed : PercentEncoding.encode(changed)
            }
            return DeviationCatalogue.path(segments)
        }
    }

    private var changes: [Change] {
        let encodings = CodePage.all.map { page in
            Change(cause: .characterSet, words: "encoded characters in \(page.name); they must be UTF-8") { bytes in
                String(validating: bytes, as: UTF8.self).flatMap(page.encode) ?? bytes
            }
        }
        let misread = CodePage.all.map { page in
            Change(cause: .characterSet, words: "read UTF-8 as \(page.name) and wrote it as UTF-8 again (mojibake)") {
                bytes in
                bytes.allSatisfy { $0 < 128 } ? bytes : page.decode(bytes).bytes
            }
        }
        let undone = CodePage.all.map { page in
            Change(
                cause: .characterSet,
                words: "has the right text; what is sent is UTF-8 that was read as \(page.name) (mojibake)"
            ) { bytes in
                let read = String(validating: bytes, as: UTF8.self).flatMap(page.encode)
                return read.flatMap { String(validating: $0, as: UTF8.self) }.map(\.bytes) ?? bytes
            }
        }
        func text(
            _ words: String,
            _ cause: ComparisonCause = .characterSet,
            _ change: @escaping @Sendable (String) -> String
        ) -> Change {
            Change(cause: cause, words: words) { $0.changed(change) }
        }
        func scalars(_ words: String, _ change: @escaping @Sendable (Unicode.Scalar) -> String) -> Change {
            text(words) { $0.unicodeScalars.map(change).joined() }
        }
        @Sendable func units(_ unit: UInt16, _ prefix: String, isUpper: Bool) -> String {
            let digits = String(unit, radix: 16, uppercase: isUpper)
            return prefix + String(repeating: "0", count: 4 - digits.count) + digits
        }
        let lost = [
            scalars("replaced letters outside of ASCII by question marks") { $0.isASCII ? String($0) : "?" },
            text("replaced letters outside of ASCII by question marks, one for each byte") { text in
                text.utf8.map { $0 < 128 ? String(Unicode.Scalar($0)) : "?" }.joined()
            },
            text("replaced letters outside of ASCII by question marks, one for each unit of UTF-16") { text in
                text.utf16.map { $0 < 128 ? String(Unicode.Scalar(UInt8($0))) : "?" }.joined()
            },
            scalars("dropped letters outside of ASCII (left out, without them)") { $0.isASCII ? String($0) : "" },
            scalars("replaced letters that ISO-8859-1 (Latin-1) lacks by question marks") {
                $0.value < 256 ? String($0) : "?"
            },
            scalars("dropped characters beyond U+FFFF (emoji), as a column of three-byte UTF-8 does") {
                $0.value < 0x10000 ? String($0) : ""
            },
            scalars("replaced characters beyond U+FFFF (emoji) by a question mark") {
                $0.value < 0x10000 ? String($0) : "?"
            },
            text("replaced characters beyond U+FFFF (emoji) by two question marks") { text in
                text.unicodeScalars.map { $0.value < 0x10000 ? String($0) : "??" }.joined()
            },
            scalars("replaced characters beyond U+FFFF (emoji) by U+FFFD") {
                $0.value < 0x10000 ? String($0) : "\u{FFFD}"
            },
            scalars("replaced letters outside of ASCII by U+FFFD, the replacement character") {
                $0.isASCII ? String($0) : "\u{FFFD}"
            },
            text("replaced letters outside of ASCII by U+FFFD, one for each byte (read as ASCII)") { text in
                text.utf8.map { $0 < 128 ? String(Unicode.Scalar($0)) : "\u{FFFD}" }.joined()
            },
            scalars("replaced letters outside of ASCII by a blank") { $0.isASCII ? String($0) : " " },
            scalars("replaced letters outside of ASCII by _") { $0.isASCII ? String($0) : "_" },
            text("left accents out: a letter of ASCII stands for each letter with one (transliterated)") { text in
                NormalForm.decomposed(text).unicodeScalars.filter(\.isASCII).map(String.init).joined()
            },
        ]
        let german = [
            text("wrote ae, oe, ue and ss for the umlauts and ß of German (letters outside of ASCII, transliterated)") {
                text in
                [("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("Ä", "Ae"), ("Ö", "Oe"), ("Ü", "Ue"), ("ß", "ss")]
                    .reduce(NormalForm.composed(text)) { $0.replacing($1.0, with: $1.1) }
            }
        ]
        let misreadTwice = CodePage.all.prefix(2).map { page in
            Change(
                cause: .characterSet,
                words: "read UTF-8 as \(page.name) and wrote it as UTF-8 again, twice (mojibake)"
            ) { bytes in
                bytes.allSatisfy { $0 < 128 } ? bytes : page.decode(page.decode(bytes).bytes).bytes
            }
        }
        let forms = [
            text(
                "signed the decomposed form of letters with accents (NFD), as macOS names files; what is sent is composed"
            ) { NormalForm.decomposed($0) },
            text("signed the composed form of letters with accents (NFC); what is sent is decomposed (NFD)") {
                NormalForm.composed($0)
            },
        ]
        let escapes = [
            scalars("wrote letters outside of ASCII as \\uXXXX, as JSON does") { scalar in
                scalar.isASCII ? String(scalar) : String(scalar).utf16.map { units($0, "\\u", isUpper: false) }.joined()
            },
            scalars("wrote letters outside of ASCII as \\uXXXX with upper-case digits, as JSON does") { scalar in
                scalar.isASCII ? String(scalar) : String(scalar).utf16.map { units($0, "\\u", isUpper: true) }.joined()
            },
            scalars("wrote letters outside of ASCII as \\xXX or \\uXXXX, as Python's unicode_escape does") { scalar in
                scalar.isASCII
                    ? String(scalar)
                    : scalar.value < 256
                        ? "\\x" + String(scalar.value, radix: 16)
                        : String(scalar).utf16.map { units($0, "\\u", isUpper: false) }.joined()
            },
            text("wrote the bytes of letters outside of ASCII as \\xXX, as Python shows bytes") { text in
                text.utf8.map { $0 < 128 ? String(Unicode.Scalar($0)) : "\\x" + String($0, radix: 16) }.joined()
            },
            text(
                "wrote letters outside of ASCII as numeric entities of HTML (&#233;), as browsers do for a page in another character set"
            ) {
                Markup.numeric($0, isHexadecimal: false, exceptLatin1: false)
            },
            text("wrote letters that ISO-8859-1 (Latin-1) lacks as numeric entities of HTML (&#8364;)") {
                Markup.numeric($0, isHexadecimal: false, exceptLatin1: true)
            },
            text("wrote letters outside of ASCII as hexadecimal, numeric entities of HTML (&#xE9;)") {
                Markup.numeric($0, isHexadecimal: true, exceptLatin1: false)
            },
            Change(
                cause: .characterSet,
                words: "wrote numeric entities of HTML for what ISO-8859-1 (Latin-1) lacks, and the rest in it"
            ) { bytes in
                bytes.changed { Markup.numeric($0, isHexadecimal: false, exceptLatin1: true) }.latin1
            },
        ]
        let bytes = [
            Change(
                cause: .characterSet,
                words: "encoded a character beyond U+FFFF as two surrogates (CESU-8, as Java and JavaScript may)"
            ) { bytes in
                bytes.text.utf16.flatMap { unit -> [UInt8] in
                    if unit < 0x80 { return [UInt8(unit)] }
                    let low = UInt8(0x80 | unit & 0x3F)
                    if unit < 0x800 { return [UInt8(0xC0 | unit >> 6), low] }
                    return [UInt8(0xE0 | unit >> 12), UInt8(0x80 | unit >> 6 & 0x3F), low]
                }
            },
            Change(cause: .characterSet, words: "encoded the low byte of each character alone (cut to one byte)") {
                bytes in
                bytes.text.utf16.map { UInt8(truncatingIfNeeded: $0) }
            },
            Change(cause: .characterSet, words: "encoded characters in UTF-16 (low byte first)") {
                UTF16Text.littleEndian($0)
            },
            Change(cause: .characterSet, words: "encoded characters in UTF-16 (high byte first)") {
                UTF16Text.bigEndian($0)
            },
            Change(cause: .characterSet, words: "encoded ISO-8859-1 (Latin-1), with a question mark for what it lacks")
            { bytes in
                bytes.text.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
            },
            Change(
                cause: .escapeFunction,
                words: "encoded as JavaScript's escape() does: %uXXXX, and Latin-1",
                isEncoded: true
            ) { Self.escape($0.text, kept: "@*_+-./") },
            Change(
                cause: .escapeFunction,
                words: "encoded as JavaScript's escape() does, with %uXXXX, but @ * + / too",
                isEncoded: true
            ) { Self.escape($0.text, kept: "_-.") },
            Change(
                cause: .escapeFunction,
                words: "encoded as JavaScript's escape() does, with %uXXXX, ~ kept",
                isEncoded: true
            ) { Self.escape($0.text, kept: "_-.~") },
            Change(
                cause: .characterSet,
                words: "encoded UTF-16 units of letters outside of ASCII as %uXXXX",
                isEncoded: true
            ) { bytes in
                bytes.text.utf16.flatMap { unit in
                    unit < 128 ? PercentEncoding.encode([UInt8(unit)]) : units(unit, "%u", isUpper: true).bytes
                }
            },
        ]
        return encodings + misread + forms + bytes + lost + escapes + undone + german + misreadTwice
    }

    private static func escape(_ text: String, kept: String) -> [UInt8] {
        text.utf16.flatMap { unit -> [UInt8] in
            if unit < 128, UInt8(unit).isLetterOrDigit || kept.utf16.contains(unit) { return [UInt8(unit)] }
            let digits = String(unit, radix: 16, uppercase: true)
            let width = unit < 256 ? 2 : 4
            return ((unit < 256 ? "%" : "%u") + String(repeating: "0", count: width - digits.count) + digits).bytes
        }
    }

    /// Letters that were not percent-encoded at all.
    private var unencodedDeviations: [Deviation] {
        let high = Array(UInt8(0x80)...0xFF)
        let sentence = "The other side left letters outside of ASCII as they are, not percent-encoded"
        return [
            Deviation(.missingEncoding, "\(sentence), in names and values.") { $0.parameterEscaping.unescaped += high },
            Deviation(.missingEncoding, "\(sentence), in the whole base string.") {
                $0.parameterEscaping.unescaped += high
                $0.listEscaping.unescaped += high
                $0.uriEscaping.unescaped += high
            },
            Deviation(.missingEncoding, "\(sentence), and hashed them as ISO-8859-1 (Latin-1).") {
                $0.parameterEscaping.unescaped += high
                $0.listEscaping.unescaped += high
                $0.uriEscaping.unescaped += high
                $0.finish = { $0.latin1 }
            },
            Deviation(.missingEncoding, "\(sentence), as ISO-8859-1 (Latin-1) in names and values.") { recipe in
                recipe.parameterEscaping.unescaped += high
                DeviationCatalogue.change(&recipe) { ($0.name, $0.value) = ($0.name.latin1, $0.value.latin1) }
            },
            Deviation(.missingEncoding, "\(sentence), and hashed them as UTF-16 units cut to a byte.") {
                $0.parameterEscaping.unescaped += high
                $0.listEscaping.unescaped += high
                $0.finish = { $0.text.utf16.map { UInt8(truncatingIfNeeded: $0) } }
            },
        ].of(.characters, isRare: true)
    }
}

extension [UInt8] {
    /// The text in ISO-8859-1; as it is, when it has other characters.
    fileprivate var latin1: [UInt8] { String(validating: self, as: UTF8.self).flatMap(CodePage.latin1.encode) ?? self }
}
