import Bytes
import OAuthSigning

// Further changes to text, as editors, word processors and frameworks make them; each is tried alone.
extension DeviationCatalogue {
    var textValueDeviations: [Deviation] {
        characterChanges.map { cause, words, change in Self.values(cause, words, change) } + cutDeviationsByLength
            + nameChanges + rareCharacterSets
    }

    private var characterChanges: [(ComparisonCause, String, @Sendable (String) -> String)] {
        func replacing(_ pairs: [(String, String)]) -> @Sendable (String) -> String {
            { text in pairs.reduce(text) { $0.replacing($1.0, with: $1.1) } }
        }
        func dropping(_ isDropped: @escaping @Sendable (Unicode.Scalar) -> Bool) -> @Sendable (String) -> String {
            { text in String(String.UnicodeScalarView(text.unicodeScalars.filter { !isDropped($0) })) }
        }
        let straight = [
            ("\u{201C}", "\""), ("\u{201D}", "\""), ("\u{201E}", "\""), ("\u{2018}", "'"), ("\u{2019}", "'"),
            ("\u{2026}", "..."), ("\u{2013}", "-"), ("\u{2014}", "-"), ("\u{A0}", " "),
        ]
        let named = [
            ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("é", "&eacute;"), ("è", "&egrave;"),
            ("ê", "&ecirc;"), ("à", "&agrave;"), ("á", "&aacute;"), ("ä", "&auml;"),
            ("ö", "&ouml;"), ("ü", "&uuml;"), ("Ä", "&Auml;"), ("Ö", "&Ouml;"), ("Ü", "&Uuml;"), ("ß", "&szlig;"),
            ("ñ", "&ntilde;"), ("ç", "&ccedil;"), ("í", "&iacute;"), ("ó", "&oacute;"),
            ("ú", "&uacute;"), ("å", "&aring;"), ("ø", "&oslash;"), ("æ", "&aelig;"), ("€", "&euro;"), ("£", "&pound;"),
            ("©", "&copy;"), ("\u{A0}", "&nbsp;"), ("…", "&hellip;"),
            ("–", "&ndash;"), ("—", "&mdash;"), ("“", "&ldquo;"), ("”", "&rdquo;"), ("‘", "&lsquo;"), ("’", "&rsquo;"),
        ]
        let typographic = replacing([("...", "…"), ("---", "—"), ("--", "–")])
        return [
            (
                .markup,
                "wrote letters outside of ASCII as named entities of HTML (&eacute;), as PHP's htmlentities does",
                replacing(named)
            ),
            (
                .markup, "wrote letters outside of ASCII as named entities of HTML (&eacute;), but left & as it is",
                replacing(Array(named.dropFirst()))
            ),
            (
                .valueQuoted, "wrote straight quotation marks, dots and hyphens for typographic (curly) ones in values",
                replacing(straight)
            ),
            (
                .valueQuoted, "wrote straight marks for typographic ones in values, and EUR for € (transliterated)",
                replacing(straight + [("€", "EUR")])
            ),
            (.characterSet, "wrote EUR for € in values (transliterated)", replacing([("€", "EUR")])),
            (
                .valueQuoted,
                "wrote typographic dashes and an ellipsis (…) for hyphens and dots in values, as word processors do",
                typographic
            ),
            (.valueQuoted, "wrote a typographic ellipsis (…) for three dots in values", replacing([("...", "…")])),
            (.valueQuoted, "wrote a typographic dash (–) for two hyphens in values", replacing([("--", "–")])),
            (.valueQuoted, "wrote a typographic dash (–) for hyphens in values", replacing([("-", "–")])),
            (.valueQuoted, "wrote a typographic apostrophe (’) for ' in values", replacing([("'", "’")])),
            (.characterSet, "left out a byte-order mark (BOM, U+FEFF) in values", dropping { $0 == "\u{FEFF}" }),
            (
                .characterSet, "left out invisible characters (zero-width space, U+200B, and the like) in values",
                dropping { $0.properties.generalCategory == .format }
            ),
            (
                .characterSet, "left out invisible variation selectors (U+FE0F, behind emoji) in values",
                dropping { $0.properties.isVariationSelector }
            ),
            (
                .characterSet, "left out variation selectors and joiners of emoji (invisible) in values",
                dropping { $0.properties.isVariationSelector || $0 == "\u{200D}" }
            ),
            (
                .characterSet, "left out control characters in values",
                dropping { $0.properties.generalCategory == .control }
            ),
            (
                .characterSet, "left out control characters in values, but tabs and line ends",
                dropping { $0.properties.generalCategory == .control && !"\t\r\n".unicodeScalars.contains($0) }
            ),
            (
                .characterSet, "wrote U+FFFD for each surrogate, two for a character beyond U+FFFF (emoji)",
                { text in
                    text.unicodeScalars.map { $0.value < 0x10000 ? String($0) : "\u{FFFD}\u{FFFD}" }.joined()
                }
            ),
            (
                .characterSet, "wrote the compatibility form (NFKC, normalized) of full-width letters and ligatures",
                { Self.compatible($0) }
            ),
            (.characterSet, "encoded characters in UTF-7", { Self.utf7($0) }),
            (
                .valueCase, "turned values into lower case by the rules of Turkish (a locale, dotless i)",
                { $0.replacing("I", with: "ı").replacing("İ", with: "i").lowercased() }
            ),
            (
                .valueCase, "turned values into upper case by the rules of Turkish (a locale, dotted İ)",
                { $0.replacing("i", with: "İ").uppercased() }
            ),
            (
                .valueLineEnds, "wrote <br /> before each line end in values, as PHP's nl2br does (HTML)",
                { $0.replacing("\r\n", with: "<br />\r\n").replacing("\n", with: "<br />\n") }
            ),
            (
                .valueLineEnds, "wrote <br> before each line end in values, as PHP's nl2br does (HTML)",
                replacing([("\n", "<br>\n")])
            ),
            (.valueBlanks, "wrote four blanks (spaces) for tabs in values", replacing([("\t", "    ")])),
            (.valueBlanks, "wrote eight blanks (spaces) for tabs in values", replacing([("\t", "        ")])),
            (.valueBlanks, "wrote two blanks (spaces) for tabs in values", replacing([("\t", "  ")])),
            (.valueBlanks, "left out tabs in values", replacing([("\t", "")])),
            (.valueEscaped, "wrote a backslash and a t for tabs in values", replacing([("\t", "\\t")])),
            (.markup, "put values into a paragraph of HTML, <p>…</p> (markup, tags)", { "<p>\($0)</p>" }),
            (
                .markup, "put values into a paragraph of HTML, <p>…</p>, and a line end behind it (markup, tags)",
                { "<p>\($0)</p>\n" }
            ),
            (
                .parameterValue, "put a slash behind each URL that is a value",
                { $0.contains("://") && !$0.hasSuffix("/") ? $0 + "/" : $0 }
            ),
            (
                .parameterValue, "left out the slash behind each URL that is a value",
                { $0.contains("://") && $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
            ),
            (.parameterValue, "wrote http for https in each URL that is a value", replacing([("https://", "http://")])),
            (.parameterValue, "wrote https for http in each URL that is a value", replacing([("http://", "https://")])),
            (
                .valueCut, "cut each URL that is a value at its ? (without the query)",
                { $0.contains("://") ? String($0.prefix { $0 != "?" }) : $0 }
            ),
            (.parameterValue, "left the hyphens out of values (of a UUID)", replacing([("-", "")])),
            (.parameterValue, "put values (a UUID) into braces { }", { "{\($0)}" }),
            (.parameterValue, "put hyphens into values of 32 hexadecimal digits (a UUID)", { Self.uuid($0) }),
            (
                .parameterValue, "took a @ or # in front of values away",
                { "@#".contains($0.first ?? " ") ? String($0.dropFirst()) : $0 }
            ),
            (
                .arrayAsText, "wrote a comma and a blank (space) for each comma in values (a list)",
                { $0.replacing(", ", with: ",").replacing(",", with: ", ") }
            ),
            (.arrayAsText, "left out the blanks (spaces) behind commas in values (a list)", replacing([(", ", ",")])),
            (
                .arrayAsText, "sorted the elements of values with commas (a list, in another order)",
                { $0.contains(",") ? $0.split(separator: ",").sorted().joined(separator: ",") : $0 }
            ),
            (.arrayAsText, "wrote semicolons for the commas in values (a list)", replacing([(",", ";")])),
            (.arrayAsText, "wrote | for the commas in values (a list)", replacing([(",", "|")])),
            (.arrayAsText, "wrote blanks (spaces) for the commas in values (a list)", replacing([(",", " ")])),
        ]
    }

    private var cutDeviationsByLength: [Deviation] {
        [20, 30, 32, 50, 64, 100, 128, 140, 160, 200, 250, 255, 256, 280, 500, 512, 1000, 1024].map { count in
            Self.values(.valueCut, "cut values to \(count) characters (truncated, as a field is too short)") {
                String($0.prefix(count))
            }
        }
    }

    private static func compatible(_ text: String) -> String {
        let ligatures: [Unicode.Scalar: String] = [
            "ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl", "…": "...", "½": "1\u{2044}2", "²": "2", "³": "3",
            "™": "TM", "\u{A0}": " ", "\u{3000}": " ",
        ]
        return text.unicodeScalars.map { scalar in
            if 0xFF01...0xFF5E ~= scalar.value, let plain = Unicode.Scalar(scalar.value - 0xFEE0) {
                return String(plain)
            }
            return ligatures[scalar] ?? String(scalar)
        }
        .joined()
    }

    /// RFC 2152, section "UTF-7 Definition".
    private static func utf7(_ text: String) -> String {
        var (encoded, pending) = ("", [UInt8]())
        for scalar in text.unicodeScalars {
            if !scalar.isASCII {
                pending += UTF16Text.bigEndian(String(scalar).bytes)
                continue
            }
            if !pending.isEmpty {
                // The hyphen may be left out where it is plain that the digits end.
                let isDigit = scalar == "-" || Base64.isDigit(UInt8(ascii: scalar))
                encoded += "+" + Base64.encode(pending.span).text.filter { $0 != "=" } + (isDigit ? "-" : "")
                pending = []
            }
            encoded += scalar == "+" ? "+-" : String(scalar)
        }
        return pending.isEmpty ? encoded : encoded + "+" + Base64.encode(pending.span).text.filter { $0 != "=" } + "-"
    }

    private static func uuid(_ text: String) -> String {
        guard text.count == 32, text.allSatisfy(\.isHexDigit) else { return text }
        var (rest, parts) = (text[...], [Substring]())
        for count in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return parts.joined(separator: "-")
    }

    /// Names as other languages and frameworks write them.
    private var nameChanges: [Deviation] {
        func names(_ cause: ComparisonCause, _ words: String, _ change: @escaping @Sendable (String) -> String)
            -> Deviation
        {
            Deviation(cause, "The other side \(words).") { recipe in
                Self.change(&recipe) { $0.name = $0.name.changed(change) }
            }
            .of(.names, isRare: true)
        }
        let wraps = [
            "data", "params", "body", "query", "filter", "form", "request", "item", "user", "post", "order", "fields",
            "options",
        ]
        return [
            names(.nameCase, "wrote names like page_size as PageSize (its own case of names)") { name in
                name.split(whereSeparator: { "_-".contains($0) }).map { $0.prefix(1).uppercased() + $0.dropFirst() }
                    .joined()
            },
            names(.nameCase, "wrote names like pageSize as page-size (its own case of names)") { name in
                String(name.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined().drop { $0 == "-" })
            },
            names(.nameCase, "wrote names like page-size as pageSize (its own case of names)") { name in
                let words = name.split(separator: "-")
                return words.prefix(1).joined()
                    + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            },
            names(.nameSpelling, "left the $ (dollar) out of names") { $0.replacing("$", with: "") },
            names(.nameSpelling, "wrote $ (a dollar) before names") { "$" + $0 },
            names(.nameSpelling, "left out a @ or : before names") {
                "@:".contains($0.first ?? " ") ? String($0.dropFirst()) : $0
            },
            names(.nameSpelling, "wrote _ for the dots and blanks (spaces) in names, as PHP does") {
                $0.replacing(".", with: "_").replacing(" ", with: "_")
            },
            names(.nameSpelling, "left the _ out of names (underscores)") { $0.replacing("_", with: "") },
            names(.nameSpelling, "left the hyphens out of names") { $0.replacing("-", with: "") },
            names(.nameSpelling, "trimmed the blanks (spaces) around names") { $0.trimmed },
            names(
                .nestedNames,
                "wrote items[0].id for items[0][id]: dots for the brackets of nested fields behind an index"
            ) { Self.dotted($0) },
            names(
                .nestedNames,
                "wrote items[0][id] for items[0].id: brackets for the dots of nested fields behind an index"
            ) { name in
                let parts = name.split(separator: "].")
                return parts.count < 2 ? name : parts.joined(separator: "][") + "]"
            },
        ]
            + wraps.flatMap { word in
                [
                    names(.nestedNames, "wrapped the names of parameters as nested fields, \(word)[name]") { name in
                        name.firstIndex(of: "[").map { "\(word)[\(name[..<$0])]\(name[$0...])" } ?? "\(word)[\(name)]"
                    },
                    names(.nestedNames, "put \(word). before the names of parameters (nested)") { "\(word).\($0)" },
                ]
            }
    }

    /// Writes dots for brackets that have no number in them.
    private static func dotted(_ name: String) -> String {
        let parts = name.split(separator: "[", omittingEmptySubsequences: false)
        return parts.prefix(1).joined()
            + parts.dropFirst().map { part in
                let inner = part.hasSuffix("]") ? part.dropLast() : part
                return inner.allSatisfy(\.isNumber) ? "[\(inner)]" : ".\(inner)"
            }
            .joined()
    }

    private var rareCharacterSets: [Deviation] {
        let parameters = reference.parameters.filter { $0.origin != .protocol }
        guard parameters.contains(where: { ($0.name + $0.value).contains { $0 > 127 } }) else { return [] }
        func changing(
            _ words: String,
            _ names: Bool,
            _ values: Bool,
            _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
        ) -> Deviation {
            Deviation(.characterSet, "The other side \(words).") { recipe in
                Self.change(&recipe) {
                    if names { $0.name = change($0.name) }
                    if values { $0.value = change($0.value) }
                }
            }
            .of(.characters, isRare: true)
        }
        func encoding(_ page: CodePage) -> @Sendable ([UInt8]) -> [UInt8] {
            { bytes in String(validating: bytes, as: UTF8.self).flatMap(page.encode) ?? bytes }
        }
        return CodePage.rare.flatMap { page in
            [
                changing("encoded characters in \(page.name); they must be UTF-8", true, true, encoding(page)),
                changing("read UTF-8 as \(page.name) and wrote it as UTF-8 again (mojibake)", true, true) { bytes in
                    bytes.allSatisfy { $0 < 128 } ? bytes : page.decode(bytes).bytes
                },
            ]
        }
            + (CodePage.all + CodePage.rare).flatMap { page in
                [("\u{FFFD}", "U+FFFD"), ("?", "a question mark")].map { (undefined: Unicode.Scalar, words: String) in
                    changing(
                        "read UTF-8 as \(page.name), with \(words) for bytes that stand for no character, and wrote it as UTF-8 again (mojibake)",
                        true,
                        true
                    ) { bytes in
                        bytes.allSatisfy { $0 < 128 } ? bytes : page.decode(bytes, undefined: undefined).bytes
                    }
                }
            }
            + characterSets.flatMap { set in
                [
                    changing("encoded characters in \(set.name); they must be UTF-8", true, true) { bytes in
                        String(validating: bytes, as: UTF8.self).flatMap(set.encode) ?? bytes
                    },
                    changing("read UTF-8 as \(set.name) and wrote it as UTF-8 again (mojibake)", true, true) { bytes in
                        bytes.allSatisfy { $0 < 128 } ? bytes : set.decode(bytes)?.bytes ?? bytes
                    },
                ]
            }
            + CodePage.all.prefix(3).map { page in
                changing(
                    "encoded the names of parameters alone in \(page.name); they must be UTF-8",
                    true,
                    false,
                    encoding(page)
                )
            }
    }
}
