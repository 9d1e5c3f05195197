import Bytes
import OAuthSigning

// How names, values and the parts of the base string are percent-encoded (RFC 5849, section 3.6).
extension DeviationCatalogue {
    var spaceDeviations: [Deviation] {
        [
            Deviation(.plusForSpace, "The other side wrote a space as +; in a signature it is %20.") {
                $0.parameterEscaping.spaceIsPlus = true
            }
        ]
    }

    var formDeviations: [Deviation] {
        let sentence =
            "The other side encoded as forms do (Java's URLEncoder, PHP's urlencode): a space is %20 in a signature, ~ stays "
            + "as it is, and * is %2A."
        let forms = [
            Escaping(spaceIsPlus: true, unescaped: Array("*".utf8)),
            Escaping(spaceIsPlus: true, escaped: Array("~".utf8)),
            Escaping(spaceIsPlus: true, unescaped: Array("*".utf8), escaped: Array("~".utf8)),
            Escaping(unescaped: Array("*".utf8), escaped: Array("~".utf8)),
        ]
        return forms.map { form in Deviation(.formEncoding, sentence) { $0.parameterEscaping = form } }
    }

    var digitDeviations: [Deviation] {
        let sentence =
            "The other side wrote percent-encodings with lower-case digits (%3d); they must be upper case (%3D)."
        return [
            Deviation(.lowercaseHex, sentence) {
                $0.parameterEscaping.usesLowercaseDigits = true
                $0.uriEscaping.usesLowercaseDigits = true
                $0.listEscaping.usesLowercaseDigits = true
            },
            Deviation(.lowercaseHex, sentence) { $0.parameterEscaping.usesLowercaseDigits = true },
            Deviation(.lowercaseHex, sentence) {
                $0.uriEscaping.usesLowercaseDigits = true
                $0.listEscaping.usesLowercaseDigits = true
            },
            Deviation(.lowercaseHex, sentence) { $0.uriEscaping.usesLowercaseDigits = true },
        ]
    }

    var missingDeviations: [Deviation] {
        [
            Deviation(.missingEncoding, "The other side did not encode names and values before it joined them.") {
                $0.parameterEscaping.rounds = 0
            },
            Deviation(
                .missingEncoding,
                "The other side did not encode the values of the protocol's parameters before it joined them."
            ) {
                for index in $0.parameters.indices where $0.parameters[index].origin == .protocol {
                    $0.parameters[index].isEncoded = true
                }
            },
            Deviation(.missingEncoding, "The other side did not encode the list of parameters as a whole.") {
                $0.listEscaping.rounds = 0
            },
            Deviation(.missingEncoding, "The other side did not encode the URI.") { $0.uriEscaping.rounds = 0 },
            Deviation(.missingEncoding, "The other side encoded neither the URI nor the list of parameters as a whole.")
            {
                $0.uriEscaping.rounds = 0
                $0.listEscaping.rounds = 0
            },
            Deviation(.missingEncoding, "The other side encoded nothing in its base string.") {
                $0.parameterEscaping.rounds = 0
                $0.uriEscaping.rounds = 0
                $0.listEscaping.rounds = 0
            },
        ]
    }

    var repeatedDeviations: [Deviation] {
        [
            Deviation(.doubleEncoding, "The other side encoded names and values twice before it joined them.") {
                $0.parameterEscaping.rounds = 2
            },
            Deviation(.doubleEncoding, "The other side encoded the list of parameters twice as a whole.") {
                $0.listEscaping.rounds = 2
            },
            Deviation(.doubleEncoding, "The other side encoded the URI twice.") { $0.uriEscaping.rounds = 2 },
        ]
    }

    /// The deviations by characters that usual functions leave alone.
    var reservedDeviations: [Deviation] {
        Self.leaving(Array("!*'()".utf8), "! * ' ( ) (JavaScript's encodeURIComponent does not)")
            + Self.leaving(Array("/".utf8), "/ (Python's quote does not)")
    }

    /// The deviations by further characters that may be left alone: all that URIs reserve, or any one character.
    var otherReservedDeviations: [Deviation] {
        let present = Set(reference.parameters.flatMap { $0.name + $0.value } + reference.uri.path)
        let single = present.filter { $0 < 0x80 && $0 > 0x20 && !PercentEncoding.isUnreserved($0) }
            .subtracting(Array("%&=".utf8))
        let all = Array(";,/?:@+$!*'()#".utf8)
        return Self.leaving(all, "what URIs reserve (JavaScript's encodeURI does not)")
            + single.sorted().flatMap { Self.leaving([$0], String(decoding: [$0], as: UTF8.self)) }
    }

    private static func leaving(_ set: [UInt8], _ words: String) -> [Deviation] {
        let sentence = "The other side does not encode \(words); everything but letters, digits and -._~ must be."
        return [
            Deviation(.reservedNotEncoded, sentence) { $0.parameterEscaping.unescaped += set },
            Deviation(.reservedNotEncoded, sentence) {
                $0.parameterEscaping.unescaped += set
                $0.uriEscaping.unescaped += set
                $0.listEscaping.unescaped += set
            },
        ]
    }

    var unreservedDeviations: [Deviation] {
        [("~", "~"), ("-._~", "- . _ and ~"), ("_", "_"), (".", "."), ("-", "-")].flatMap { text, words in
            let set = Array(text.utf8)
            let sentence = "The other side encodes \(words), which must stay as it is."
            return [
                Deviation(.overEncoding, sentence) { $0.parameterEscaping.escaped += set },
                Deviation(.overEncoding, sentence) {
                    $0.parameterEscaping.escaped += set
                    $0.uriEscaping.escaped += set
                    $0.listEscaping.escaped += set
                },
            ]
        }
    }
}
