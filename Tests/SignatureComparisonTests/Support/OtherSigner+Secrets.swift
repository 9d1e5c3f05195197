import Crypto
import Foundation
import SignatureComparison

@testable import OAuthSigning

extension OtherSigner {
    private static let right = "GET&https%3A%2F%2Fapi.example.com%2Fr&a%3D1%26" + ours
    /// Our secrets as they stand in a key.
    private static let (first, second) = ("cons%2Fsecret", "tok%26secret")

    private static func secret(_ cause: ComparisonCause, _ key: String) -> OtherSigner {
        OtherSigner("\(cause.rawValue), \(key)", cause, right) { $0.key = key }
    }

    /// The signers with secrets as echo, editors, shells and languages change them, and with keys put together wrongly.
    static let secrets: [OtherSigner] = [
        secret(.secretWhitespace, "\(first)%0D&\(second)"), secret(.secretWhitespace, "\(first)%20%0D%0A&\(second)"),
        secret(.secretWhitespace, "\(first)&%09\(second)"), secret(.secretWhitespace, "\(first)%0A&\(second)%0A"),
        secret(.secretInvisible, "\(first)%E2%80%8B&\(second)"),
        secret(.secretByteOrderMark, "%EF%BB%BF\(first)&\(second)"),
        secret(.secretByteOrderMark, "\(first)&%EF%BB%BF\(second)%0D%0A"),
        secret(.secretQuoted, "%22\(first)%22&\(second)"),
        secret(.secretQuoted, "%27\(first)%27&%27\(second)%27"), secret(.secretQuoted, "b%27\(first)%27&\(second)"),
        secret(.secretQuoted, "\(first)&%E2%80%9C\(second)%E2%80%9D"),
        secret(.secretPunctuation, "\(first)%2C&\(second)"),
        secret(.secretEscaped, "\(first)&\(second)%5Cn"), secret(.secretEscaped, "cons%5C%2Fsecret&\(second)"),
        secret(.secretSpelling, "cosn%2Fsecret&\(second)"), secret(.secretSpelling, "cons%2Fsecet&\(second)"),
        secret(.secretSpelling, "\(first)&tok%26secrat"), secret(.identifierForSecret, "ck&cons%2Fsecret"),
        secret(.secretWithName, "-n%20\(first)%0A&\(second)"),
        secret(.secretWhitespace, "\(first)%20%20%20%20%20&\(second)"),
        secret(.secretPlaceholder, "\(first)&undefined"), secret(.secretPlaceholder, "None&\(second)"),
        secret(.secretBase64, "Y29ucy9zZWNyZXQ%3D&\(second)"), secret(.secretBase64, "\(first)&dG9rJnNlY3JldAo%3D"),
        secret(.secretHexadecimal, "636f6e732f736563726574&\(second)"), secret(.secretCase, "CONS%2FSECRET&\(second)"),
        secret(.secretEntities, "\(first)&tok%26amp%3Bsecret"), secret(.secretCut, "cons&\(second)"),
        secret(.secretCut, "\(first)&tok%26secre"), secret(.secretWithName, "CONSUMER_SECRET%3D\(first)&\(second)"),
        secret(.secretWithName, "\(first)&%24%7BTOKEN_SECRET%7D"),
        secret(.secretEncodedTwice, "cons%252Fsecret&\(second)"),
        secret(.secretBase64, Data("\(first)&\(second)".utf8).base64EncodedString()),
        secret(.keySeparator, "\(first)|\(second)"), secret(.keySeparator, "\(first)&\(second)&"),
        secret(.secretHashed, "\(sha1(Data("cons/secret".utf8)))&\(second)"),
        secret(.secretRepeated, "\(first)&\(first)"),
        secret(.secretQuoted, "%E2%80%9C\(first)&\(second)"), secret(.secretQuoted, "\(first)&\(second)%E2%80%9D"),
        secret(.secretQuoted, "%E2%80%98\(first)&\(second)"), secret(.secretQuoted, "\(first)%E2%80%99&\(second)"),
        secret(.secretInvisible, "\(first)%1A&\(second)"), secret(.secretEscaped, "\(first)&\(second)%5EM"),
        secret(.secretHexadecimal, "63%3A6f%3A6e%3A73%3A2f%3A73%3A65%3A63%3A72%3A65%3A74&\(second)"),
        secret(.secretHexadecimal, "0x636F6E732F736563726574&\(second)"),
        secret(.secretCharacterSet, "%C3%BF%C3%BE\(wide("cons/secret\r\n"))&\(second)"),
        secret(.secretCharacterSet, "\(first)&%EF%BF%BD%EF%BF%BD\(wide("tok&secret\r\n"))"),
        secret(.secretCharacterSet, "%C3%BF%C3%BE\(wide("cons/secret"))&%C3%BF%C3%BE\(wide("tok&secret"))"),
        secret(.secretCharacterSet, "\(wide("cons/secret\r\n"))&\(second)"),
        OtherSigner(
            "no token, and the word null",
            .secretPlaceholder,
            withoutToken,
            sent: usual.filter { $0.0 != "oauth_token" }
        ) {
            $0.tokenSecret = nil
            $0.key = "\(first)&null"
        },
    ]

    /// The words for keys with whole lines in them, and the keys.
    static let namedSecrets: [(String, String)] = [
        ("line TWITTER_CONSUMER_SECRET=…, with", "TWITTER_CONSUMER_SECRET%3D\(first)&\(second)"),
        ("line export DISCOGS_TOKEN_SECRET=…, with", "\(first)&export%20DISCOGS_TOKEN_SECRET%3D\(second)"),
        ("line X_API_KEY_SECRET='…', with", "X_API_KEY_SECRET%3D%27\(first)%27&\(second)"),
        (
            "lines TWITTER_API_SECRET=… and TWITTER_ACCESS_TOKEN_SECRET=…, with",
            "TWITTER_API_SECRET%3D\(first)&TWITTER_ACCESS_TOKEN_SECRET%3D\(second)"
        ),
        (
            "lines CONSUMER_SECRET=\"…\" and TOKEN_SECRET=\"…\", with",
            "CONSUMER_SECRET%3D%22\(first)%22&TOKEN_SECRET%3D%22\(second)%22"
        ),
        ("line SHOP_CONSUMER_SECRET=…, with", "SHOP_CONSUMER_SECRET%3D\(first)%0A&\(second)"),
        ("line SHOP_TOKEN: …, with", "\(first)&SHOP_TOKEN%3A%20\(second)"),
        (
            "lines SHOP_CONSUMER_SECRET=… and SHOP_TOKEN=…, with",
            "SHOP_CONSUMER_SECRET%3D\(first)&SHOP_TOKEN%3D\(second)"
        ),
    ]

    /// ASCII in UTF-16, the low byte first, as it stands in a key.
    private static func wide(_ text: String) -> String {
        text.unicodeScalars.map { encoded(String($0)) + "%00" }.joined()
    }

    /// Two mistakes with the secrets at once.
    static let secretPairs: [([ComparisonCause], String)] = [
        ([.secretQuoted, .secretWhitespace], "%22\(first)%22&\(second)%0A"),
        ([.ampersandMissing, .secretQuoted], "%22\(first)%22\(second)"),
        ([.secretWhitespace, .secretBase64], "\(first)%0A&dG9rJnNlY3JldA%3D%3D"),
    ]

    private static let withoutToken = right.replacing("%26oauth_token%3Dtk", with: "")

    private static func sha1(_ data: Data) -> String {
        Insecure.SHA1.hash(data: data).map { String(format: "%02x", $0) }.joined()
    }

    private static func code(
        _ title: String,
        _ cause: ComparisonCause,
        method: String = "HMAC-SHA1",
        _ sign: @escaping @Sendable (Data, Data) -> Data
    ) -> OtherSigner {
        let base = right.replacing("HMAC-SHA1", with: method)
        let sent = usual.map { $0.0 == "oauth_signature_method" ? ($0.0, method) : $0 }
        return OtherSigner(title, cause, base, sent: sent) {
            $0.signatureMethod = method
            $0.sign = sign
        }
    }

    private static func hmac<Hash: HashFunction>(_ hash: Hash.Type, _ key: Data, _ text: Data) -> Data {
        Data(HMAC<Hash>.authenticationCode(for: text, using: SymmetricKey(data: key)))
    }

    private static func handmade<Hash: HashFunction>(
        _ hash: Hash.Type,
        _ key: Data,
        _ text: Data,
        block: Int,
        pads: (UInt8, UInt8)
    ) -> Data {
        let key = key + Data(count: block - key.count)
        let inner = Data(Hash.hash(data: Data(key.map { $0 ^ pads.0 }) + text))
        return Data(Hash.hash(data: Data(key.map { $0 ^ pads.1 }) + inner))
    }

    private static func wide(_ data: Data) -> Data { Data(data.flatMap { [$0, 0] }) }

    /// The signers that make a signature of key and text otherwise.
    static let codes: [OtherSigner] = [
        code("exchanged", .keyAndTextExchanged) { hmac(Insecure.SHA1.self, $1, $0) },
        code("a plain hash", .plainHash) { Data(Insecure.SHA1.hash(data: $1)) },
        code("a plain hash of key and text", .plainHash) { Data(Insecure.SHA1.hash(data: $0 + $1)) },
        code("MD5", .hash) { hmac(Insecure.MD5.self, $0, $1) },
        code("SHA-384", .hash, method: "HMAC-SHA512") { hmac(SHA384.self, $0, $1) },
        code("SHA3-256", .hash, method: "HMAC-SHA256") { hmac(SHA3_256.self, $0, $1) },
        code("SHA-256 cut", .digestCut) { hmac(SHA256.self, $0, $1).prefix(20) },
        code("hashed twice", .hashedTwice) { hmac(Insecure.SHA1.self, $0, hmac(Insecure.SHA1.self, $0, $1)) },
        code("hashed before", .hashedTwice, method: "HMAC-SHA256") {
            hmac(SHA256.self, $0, Data(SHA256.hash(data: $1)))
        },
        code("an HMAC with blocks of SHA-1", .hmac, method: "HMAC-SHA512") {
            handmade(SHA512.self, $0, $1, block: 64, pads: (0x36, 0x5C))
        },
        code("an HMAC with its pads exchanged", .hmac) {
            handmade(Insecure.SHA1.self, $0, $1, block: 64, pads: (0x5C, 0x36))
        },
        code("a digest as ASCII", .signatureFormat) {
            Data(hmac(Insecure.SHA1.self, $0, $1).map { $0 < 128 ? $0 : UInt8(ascii: "?") })
        },
        code("Base64 of the text", .textEncoded) { hmac(Insecure.SHA1.self, $0, $1.base64EncodedData()) },
        code("UTF-16", .textCharacterSet) { hmac(Insecure.SHA1.self, $0, wide($1)) },
        code("the key hashed", .keyHashed) { hmac(Insecure.SHA1.self, Data(Insecure.SHA1.hash(data: $0)), $1) },
        code("a line feed behind the text", .textEnd) { hmac(Insecure.SHA1.self, $0, $1 + Data("\n".utf8)) },
        code("an empty key", .consumerSecretMissing) { hmac(Insecure.SHA1.self, Data(), $1) },
        code("a secret decoded as Base64", .secretBase64) { _, text in
            hmac(
                Insecure.SHA1.self,
                Data(base64Encoded: "cons/secret=").map { $0 + Data("&tok%26secret".utf8) } ?? Data(),
                text
            )
        },
    ]

    private static func altered(_ change: @escaping @Sendable (String) -> String) -> OtherSigner {
        OtherSigner("altered", .signatureFormat, right) { $0.write = { encoded(change($0.base64EncodedString())) } }
    }

    /// Right signatures that were written otherwise, and the words for it.
    static let alterations: [(OtherSigner, String)] = [
        (altered { $0.lowercased() }, "lower case"), (altered { String($0.prefix(20)) }, "cut"),
        (altered { Data($0.utf8).base64EncodedString() }, "twice"), (altered { "\"\($0)\"" }, "quotation marks"),
        (altered { String($0.reversed()) }, "reverse order"),
        (altered { $0 + "\n" }, "line end"),
        (
            OtherSigner("openssl", .signatureFormat, right) {
                $0.write = { encoded("(stdin)= " + $0.map { String(format: "%02x", $0) }.joined()) }
            }, "openssl"
        ),
        (
            OtherSigner("parted digits", .signatureFormat, right) {
                $0.write = { encoded($0.map { String(format: "%02X", $0) }.joined(separator: "-")) }
            }, "hexadecimal"
        ),
    ]
}
