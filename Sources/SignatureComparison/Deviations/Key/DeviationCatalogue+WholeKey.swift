import Bytes
import OAuthSigning

// What becomes of the key as a whole.
extension DeviationCatalogue {
    var wholeKeyDeviations: [Deviation] {
        (separatorDeviations + repeatedSecretDeviations).of(.key, isRare: true) + finishDeviations
    }

    /// Keys in which the secrets stand with their names, or with other marks.
    var namedKeyDeviations: [Deviation] {
        let names = [
            ("oauth_consumer_secret", "oauth_token_secret"), ("consumer_secret", "token_secret"),
            ("consumerSecret", "tokenSecret"), ("consumer_secret", "access_token_secret"),
            ("client_secret", "token_secret"), ("consumer_secret", "oauth_token_secret"),
            ("client_secret", "resource_owner_secret"), ("api_secret", "access_secret"),
        ]
        let named = names.map { one, other in
            Deviation(
                .secretWithName,
                "The other side's key has the secrets with their names, \(one)=…&\(other)=…; it must be the secrets alone."
            ) { $0.key.finish = { Self.key($0, "\(one)=", "&\(other)=", "") } }
        }
        let json = names.flatMap { one, other in
            [
                ("{\"\(one)\":\"", "\",\"\(other)\":\"", "\"}"),
                ("{\"\(one)\": \"", "\", \"\(other)\": \"", "\"}"),
            ].map { start, middle, end in
                Deviation(.secretWithName, "The other side's key is a JSON object of both secrets with their names.") {
                    $0.key.finish = { Self.key($0, start, middle, end) }
                }
            }
        }
        let marks = ["^&", "\\&", "%2526", "&#38;", "\"&\"", "' & '", ";", "\t", "\r\n", "#", "$", "@", "*", "~", "\0"]
            .map { mark in
                Deviation(
                    .keySeparator,
                    "The other side's key has \(mark.isEmpty ? "nothing" : mark.debugDescription) between the secrets; it must be & (an ampersand), as no shell or cmd.exe escapes it."
                ) { $0.key.separator = mark.bytes }
            }
        return (named + json + marks).map { $0.of(.key, isRare: true, isAlone: true) }
    }

    /// Returns a finished key with other texts before, between and behind its secrets.
    private static func key(_ key: [UInt8], _ start: String, _ middle: String, _ end: String) -> [UInt8] {
        guard let mark = key.firstIndex(of: UInt8(ascii: "&")) else { return key }
        return start.bytes + key[..<mark] + middle.bytes + key[(mark + 1)...] + end.bytes
    }

    private var separatorDeviations: [Deviation] {
        let separators = [
            ("%26", "an encoded & (%26)"), ("&amp;", "&amp; of HTML"), ("|", "a |"), (":", "a colon"), ("+", "a +"),
            (" ", "a blank"), (",", "a comma"), (".", "a dot"), ("_", "an underscore"), ("-", "a hyphen"),
            ("&&", "two &"),
            ("\n", "a line end"), ("=", "an ="), (" & ", "a & between blanks"), ("\\u0026", "\\u0026 of JSON"),
            ("/", "a /"),
        ]
        return separators.map { text, words in
            Deviation(.keySeparator, "The other side's key has \(words) between the secrets; it must be &.") {
                $0.key.separator = text.bytes
            }
        }
    }

    private var repeatedSecretDeviations: [Deviation] {
        [
            Deviation(.secretRepeated, "The other side's key has the consumer secret in both places.") {
                $0.key.secrets.second = $0.key.secrets.first
            },
            Deviation(.secretRepeated, "The other side's key has the token secret in both places.") {
                $0.key.secrets.first = $0.key.secrets.second
            },
            Deviation(.consumerSecretMissing, "The other side's key is the token secret alone, without the &.") {
                $0.key.secrets.first = nil
                $0.key.separator = []
            },
            Deviation(.consumerSecretMissing, "The other side's key is empty: neither the secrets nor the & are there.")
            {
                $0.key.secrets = (nil, nil)
                $0.key.separator = []
            },
            Deviation(.secretsSwapped, "The other side's key has the secrets in the wrong order (swapped), and no &.") {
                $0.key.secrets = ($0.key.secrets.second, $0.key.secrets.first)
                $0.key.separator = []
            },
        ]
    }

    private var finishDeviations: [Deviation] {
        func key(
            _ cause: ComparisonCause,
            _ words: String,
            isRare: Bool = true,
            _ finish: @escaping @Sendable ([UInt8]) -> [UInt8]
        ) -> Deviation {
            Deviation(cause, "The other side's key as a whole \(words).") { $0.key.finish = finish }
                .of(.key, isRare: isRare)
        }
        let hashed = [DigestFunction.sha1, .sha256, .md5, .sha512].flatMap { function in
            [
                key(.keyHashed, "was hashed with \(function.name) before it was used") { function.hash($0) },
                key(.keyHashed, "was hashed with \(function.name), and the hexadecimal digits were used") {
                    Hexadecimal.encode(function.hash($0)).bytes
                },
                key(.keyHashed, "was hashed with \(function.name), and the Base64 was used") {
                    Base64.encode(function.hash($0).span)
                },
            ]
        }
        return [
            key(.secretWhitespace, "ends in a line feed (\\n), as echo writes it", isRare: false) { $0 + "\n".bytes },
            key(.secretBase64, "was encoded as Base64", isRare: false) { Base64.encode($0.span) },
            key(.secretHexadecimal, "was written in hexadecimal digits", isRare: false) {
                Hexadecimal.encode($0).bytes
            },
            key(.secretCharacterSet, "was taken as UTF-16 (two bytes for each character), as Encoding.Unicode does") {
                UTF16Text.littleEndian($0)
            },
            key(.secretCharacterSet, "was taken as UTF-16 (two bytes for each character), the high byte first") {
                UTF16Text.bigEndian($0)
            },
            key(.secretHexadecimal, "was written in upper-case hexadecimal digits") {
                Hexadecimal.encode($0, uppercase: true).bytes
            },
            key(.secretBase64, "was decoded as Base64") {
                Base64.decode($0.filter { Base64.isDigit($0) }.span, allowsSpareBits: true) ?? $0
            },
            key(.secretCase, "is in lower case") { $0.map(\.lowercasedASCII) },
            key(.secretCase, "is in upper case") { $0.map(\.uppercasedASCII) },
            key(.secretWhitespace, "ends in a line end (\\r\\n)") { $0 + "\r\n".bytes },
            key(.secretWhitespace, "ends in a blank (a space)") { $0 + " ".bytes },
            key(.secretWhitespace, "ends in a zero byte (NUL)") { $0 + [0] },
            key(.keySeparator, "has a & too many at its end") { $0 + "&".bytes },
            key(.keySeparator, "has a & too many at its beginning") { "&".bytes + $0 },
            key(.secretQuoted, "is in quotation marks") { "\"".bytes + $0 + "\"".bytes },
            key(.secretQuoted, "is in single quotation marks") { "'".bytes + $0 + "'".bytes },
            key(.secretByteOrderMark, "begins with a byte-order mark (BOM)") { "\u{FEFF}".bytes + $0 },
            key(.secretSpelling, "has its characters in the reverse order") { $0.reversed() },
            key(.secretCut, "was cut to 64 bytes") { Array($0.prefix(64)) },
            key(.secretCut, "was cut to 32 bytes") { Array($0.prefix(32)) },
            key(.secretCut, "was cut to 20 bytes") { Array($0.prefix(20)) },
            key(.secretCut, "was cut to 16 bytes") { Array($0.prefix(16)) },
        ] + hashed
    }
}
