import Bytes

// How functions of libraries percent-encode as a whole; each is tried alone.
extension DeviationCatalogue {
    var encodingGuesses: [Deviation] { libraryGuesses + unreservedGuesses }

    private var libraryGuesses: [Deviation] {
        let libraries: [(String, Escaping)] = [
            (
                ".NET's HttpUtility.UrlEncode does (a space is +, lower-case digits, ! * ( ) are left as they are)",
                Escaping(usesLowercaseDigits: true, spaceIsPlus: true, unescaped: "!*()".bytes, escaped: "~".bytes)
            ),
            (
                ".NET's HttpUtility.UrlEncode does, but for ~ (a space is +, lower-case digits, ! * ( ) are left)",
                Escaping(usesLowercaseDigits: true, spaceIsPlus: true, unescaped: "!*()".bytes)
            ),
            (
                ".NET's HttpUtility.UrlEncode and %20 for + do (lower-case digits, ! * ( ) are left as they are)",
                Escaping(usesLowercaseDigits: true, unescaped: "!*()".bytes, escaped: "~".bytes)
            ),
            (
                ".NET's old HttpUtility.UrlEncode does (a space is +, lower-case digits, ! * ' ( ) are left as they are)",
                Escaping(usesLowercaseDigits: true, spaceIsPlus: true, unescaped: "!*'()".bytes, escaped: "~".bytes)
            ),
            (
                ".NET's WebUtility.UrlEncode does (a space is +, ! * ( ) are left as they are)",
                Escaping(spaceIsPlus: true, unescaped: "!*()".bytes, escaped: "~".bytes)
            ),
            (
                ".NET's WebUtility.UrlEncode and %20 for + do (! * ( ) are left as they are, ~ is encoded)",
                Escaping(unescaped: "!*()".bytes, escaped: "~".bytes)
            ),
            (
                "ASP's Server.URLEncode does (a space is +, and - . _ ~ are encoded)",
                Escaping(spaceIsPlus: true, escaped: "-._~".bytes)
            ),
            (
                "Ruby's URI.escape does (all that URIs reserve is left as it is)",
                Escaping(unescaped: ";/?:@&=+$,[]!*'()".bytes)
            ),
            (
                "Ruby's CGI.escape does (a space is +, * is left as it is)",
                Escaping(spaceIsPlus: true, unescaped: "*".bytes)
            ),
            (
                "JavaScript's encodeURIComponent and + for %20 do (! ' ( ) * are left as they are)",
                Escaping(spaceIsPlus: true, unescaped: "!*'()".bytes)
            ),
            (
                "JavaScript's escape does (@ * + / are left as they are)",
                Escaping(unescaped: "@*+/".bytes, escaped: "~".bytes)
            ),
            (
                "Python 2's quote does (/ is left as it is, ~ is encoded)",
                Escaping(unescaped: "/".bytes, escaped: "~".bytes)
            ),
            (
                "Python's quote_plus does with safe=\"/\" (a space is +, / is left as it is)",
                Escaping(spaceIsPlus: true, unescaped: "/".bytes)
            ),
            (
                "Lua's usual pattern [^%w] does with + for a space (- . _ ~ are encoded)",
                Escaping(usesLowercaseDigits: true, spaceIsPlus: true, escaped: "-._~".bytes)
            ),
            (
                "Objective-C's addingPercentEncoding does for a query (! $ & ' ( ) * + , / : ; = ? @ are left)",
                Escaping(unescaped: "!$&'()*+,/:;=?@".bytes)
            ),
            (
                "Objective-C's addingPercentEncoding does for a host (! $ & ' ( ) * + , ; = are left)",
                Escaping(unescaped: "!$&'()*+,;=".bytes)
            ),
            (
                "Objective-C's addingPercentEncoding does for a path (! $ & ' ( ) * + , / : = @ are left)",
                Escaping(unescaped: "!$&'()*+,/:=@".bytes)
            ),
            (
                "Objective-C's stringByAddingPercentEscapes does (all that URIs reserve is left as it is)",
                Escaping(unescaped: "!$&'()*+,/:;=?@#".bytes)
            ),
            (
                ".NET's Uri.EscapeUriString does (all that URIs reserve is left as it is)",
                Escaping(unescaped: ";/?:@&=+$,#!*'()[]".bytes)
            ),
            ("Perl's uri_escape_utf8 does (! * ' ( ) are left as they are)", Escaping(unescaped: "!*'()".bytes)),
            (
                "Java's URLEncoder does with %20 for + (* is left as it is, ~ is encoded)",
                Escaping(unescaped: "*".bytes, escaped: "~".bytes)
            ), ("Guava's path escaper does", Escaping(unescaped: "!$&'()*+,;=@:".bytes)),
            ("Excel's ENCODEURL does (~ is encoded)", Escaping(escaped: "~".bytes)),
        ]
        return libraries.flatMap { words, escaping -> [Deviation] in
            let names = Deviation(.formEncoding, "The other side encoded names and values as \(words).") {
                $0.parameterEscaping = escaping
            }
            let values = Deviation(.formEncoding, "The other side encoded values, but not names, as \(words).") {
                $0.nameEscaping = Escaping()
                $0.parameterEscaping = escaping
            }
            let all = Deviation(.formEncoding, "The other side encoded all parts of the base string as \(words).") {
                ($0.parameterEscaping, $0.uriEscaping, $0.listEscaping) = (escaping, escaping, escaping)
            }
            let list = Deviation(.formEncoding, "The other side encoded URI and list as a whole as \(words).") {
                ($0.uriEscaping, $0.listEscaping) = (escaping, escaping)
            }
            return [names, values, all, list].map { $0.of(.escaping, isRare: true, isAlone: true) }
        }
    }

    /// Each choice of characters that stay as they are, and were encoded.
    private var unreservedGuesses: [Deviation] {
        let marks = Array("-._~".utf8)
        return (1..<16).flatMap { bits -> [Deviation] in
            let set = marks.indices.filter { bits >> $0 & 1 == 1 }.map { marks[$0] }
            let words = set.map { Self.marks[$0] ?? "" }.joined(separator: " and ")
            return [false, true].flatMap { isLower -> [Deviation] in
                let (digits, escapes) = (isLower ? " with lower-case digits" : "", set.map { Self.escape($0, isLower) })
                let escaping = Escaping(escaped: set)
                // The other escapes keep their case.
                @Sendable func finished(_ text: [UInt8]) -> [UInt8] {
                    escapes.reduce(text) { $0.replacing("%25\($1.uppercased())".bytes, with: "%25\($1)".bytes) }
                }
                func deviation(_ place: String, _ change: @escaping @Sendable (inout SigningRecipe) -> Void)
                    -> Deviation
                {
                    Deviation(
                        .overEncoding,
                        "The other side encoded \(words) in \(place)\(digits); they must stay as they are."
                    ) {
                        change(&$0)
                        if isLower { $0.finish = finished }
                    }
                    .of(.escaping, isRare: true, isAlone: true)
                }
                return [
                    deviation("names and values") { $0.parameterEscaping = escaping },
                    deviation("values, not in names") {
                        $0.nameEscaping = Escaping()
                        $0.parameterEscaping = escaping
                    },
                    deviation("the URI") { $0.uriEscaping = escaping },
                    deviation("all parts of the base string") {
                        ($0.parameterEscaping, $0.uriEscaping, $0.listEscaping) = (escaping, escaping, escaping)
                    },
                ]
            }
        }
    }

    private static let marks: [UInt8: String] = [
        UInt8(ascii: "-"): "- (hyphens)", UInt8(ascii: "."): ". (dots)", UInt8(ascii: "_"): "_ (underscores)",
        UInt8(ascii: "~"): "~ (tildes)",
    ]

    /// The digits of an escape.
    private static func escape(_ byte: UInt8, _ isLower: Bool) -> String {
        Hexadecimal.encode([byte], uppercase: !isLower)
    }
}
