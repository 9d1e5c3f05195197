import Bytes
import OAuthSigning

// HTML, JSON and quotation marks in values.
extension DeviationCatalogue {
    var markupDeviations: [Deviation] {
        let apostrophes = ["&#39;", "&#039;", "&apos;", "&#x27;"]
        return [
            Self.values(.markup, "escaped values for HTML: &amp; &lt; &gt; &quot;") { Markup.escaped($0) },
            Self.values(.markup, "escaped values for HTML or XML: &amp; &lt; &gt;") { Markup.escapedText($0) },
            Self.values(.markup, "escaped & in values for HTML: &amp;") { $0.replacing("&", with: "&amp;") },
            Self.values(.markup, "escaped < and > in values for HTML: &lt; &gt;") {
                $0.replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            },
            Self.values(.markup, "escaped quotation marks in values for HTML: &quot;") {
                $0.replacing("\"", with: "&quot;")
            },
            Self.values(.markup, "escaped quotation marks in values for HTML: &#34; &#39;") {
                $0.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
                    .replacing("\"", with: "&#34;").replacing("'", with: "&#39;")
            },
            Self.values(.markup, "resolved HTML entities in values: & for &amp; and the like") { Markup.unescaped($0) },
            Self.values(.markup, "resolved &amp; in values: & stands there, as in HTML") {
                $0.replacing("&amp;", with: "&")
            },
            Self.values(.markup, "stripped HTML tags (markup) from values") { Markup.withoutTags($0) },
            Self.values(.markup, "stripped HTML tags (markup) from values and trimmed them") {
                Markup.withoutTags($0).trimmed
            },
            Self.values(.markup, "stripped HTML tags (markup) from values and escaped the rest") {
                Markup.escaped(Markup.withoutTags($0))
            },
            Self.values(.markup, "wrote <br> of HTML for line ends in values") {
                $0.replacing("\r\n", with: "<br>").replacing("\n", with: "<br>")
            },
        ]
            + apostrophes.map { text in
                Self.values(.markup, "escaped values for HTML, with \(text) for the apostrophe") {
                    Markup.escaped($0, apostrophe: text)
                }
            }
            + apostrophes.map { text in
                Self.values(.markup, "wrote \(text) of HTML for the apostrophe in values") {
                    $0.replacing("'", with: text)
                }
            }
    }

    var quotingDeviations: [Deviation] {
        func escaping(_ characters: String) -> @Sendable (String) -> String {
            { text in text.map { characters.contains($0) ? "\\\($0)" : String($0) }.joined() }
        }
        return [
            Self.values(
                .valueEscaped,
                "put a backslash before quotation marks, apostrophes and backslashes (addslashes, PHP's magic quotes)",
                escaping("\"'\\")
            ),
            Self.values(.valueEscaped, "put a backslash before quotation marks (JSON, magic quotes)", escaping("\"")),
            Self.values(
                .valueEscaped,
                "put a backslash before quotation marks and backslashes (JSON)",
                escaping("\"\\")
            ),
            Self.values(.valueEscaped, "put a backslash before apostrophes", escaping("'")),
            Self.values(
                .valueEscaped,
                "put a backslash before each slash (\\/), as PHP's json_encode does",
                escaping("/")
            ),
            Self.values(.valueEscaped, "doubled the backslashes in values", escaping("\\")),
            Self.values(.valueEscaped, "took the backslashes out of values (stripslashes)") {
                $0.replacing("\\", with: "")
            },
            Self.values(.valueEscaped, "doubled the apostrophes in values, as SQL does") {
                $0.replacing("'", with: "''")
            },
            Self.values(.valueQuoted, "signed values in quotation marks") { "\"\($0)\"" },
            Self.values(.valueQuoted, "signed values in single quotation marks") { "'\($0)'" },
            Self.values(.valueQuoted, "signed values as Python shows bytes, b'…' in quotation marks") { "b'\($0)'" },
            Self.values(.valueQuoted, "signed values as Swift shows optionals, Optional(\"…\") in quotation marks") {
                "Optional(\"\($0)\")"
            },
            Self.values(.valueQuoted, "signed values as lists of one element, ['…']") { "['\($0)']" },
            Self.values(.valueQuoted, "signed values as lists of one element, [\"…\"] (JSON)") { "[\"\($0)\"]" },
            Self.values(.valueQuoted, "signed values as lists of one element, […]") { "[\($0)]" },
            Self.values(.valueQuoted, "took quotation marks around values away") { text in
                guard let first = text.first, "\"'".contains(first), text.last == first, text.count > 1 else {
                    return text
                }
                return String(text.dropFirst().dropLast())
            },
            Self.values(.valueQuoted, "left quotation marks out of values") { $0.filter { $0 != "\"" } },
            Self.values(.valueQuoted, "wrote typographic (curly) quotation marks for straight ones in values") { text in
                var isOpen = false
                return text.map { character -> String in
                    if character == "'" { return "\u{2019}" }
                    guard character == "\"" else { return String(character) }
                    isOpen.toggle()
                    return isOpen ? "\u{201C}" : "\u{201D}"
                }
                .joined()
            },
            Self.values(.valueQuoted, "wrote straight quotation marks for typographic (curly) ones in values") {
                $0.replacing("\u{201C}", with: "\"").replacing("\u{201D}", with: "\"").replacing("\u{2018}", with: "'")
                    .replacing("\u{2019}", with: "'")
            },
            Self.values(.valueCase, "turned values into lower case") { $0.lowercased() },
            Self.values(.valueCase, "turned values into upper case") { $0.uppercased() },
            Self.values(.valueCase, "wrote the first letter of values in upper case") {
                $0.prefix(1).uppercased() + $0.dropFirst()
            },
            Self.values(.valueCut, "cut values at a #, as if a fragment began there") {
                String($0.prefix { $0 != "#" })
            },
            Self.values(.valueCut, "cut values at a &, as if another parameter began there") {
                String($0.prefix { $0 != "&" })
            },
            Self.values(.valueCut, "cut values at a ;, as if another parameter began there") {
                String($0.prefix { $0 != ";" })
            },
            Self.values(.valueCut, "cut values at an =, as if another value began there") {
                String($0.prefix { $0 != "=" })
            },
            Self.values(.valueCut, "cut values at a ?, as if a query began there") { String($0.prefix { $0 != "?" }) },
            Self.values(.valueCut, "cut values at a +") { String($0.prefix { $0 != "+" }) },
            Self.values(.valueCut, "cut values at a blank (space)") { String($0.prefix { $0 != " " }) },
            Self.values(.valueCut, "cut values at a zero byte (NUL)") { String($0.prefix { $0 != "\0" }) },
            Self.values(.valueCut, "cut values at a comma") { String($0.prefix { $0 != "," }) },
            Self.values(.valueCut, "signed what stands behind the last = of values alone") { text in
                text.lastIndex(of: "=").map { String(text[text.index(after: $0)...]) } ?? text
            },
            Self.values(.valueCut, "signed values without the = at their ends (padding)") { text in
                String(text.reversed().drop { $0 == "=" }.reversed())
            },
            Self.values(.valueEscaped, "signed values as Base64") { Base64.encode($0.bytes.span).text },
            Self.values(.valueEmpty, "signed the names with empty values: the values are lost") { _ in "" },
            Self.values(.decodedTwice, "decoded values twice: what they have percent-encoded was decoded once more") {
                PercentEncoding.decodeLeniently($0.bytes.span).text
            },
            Self.values(.decodedTwice, "decoded values twice, and took + for a space in them the second time") {
                PercentEncoding.decodeLeniently($0.bytes.span, plusIsSpace: true).text
            },
        ]
    }
}
