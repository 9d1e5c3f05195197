import Foundation
import SignatureComparison

@testable import OAuthSigning

extension OtherSigner {
    private static let right = "GET&https%3A%2F%2Fapi.example.com%2Fr&a%3D1%26" + ours

    private static func key(_ key: String) -> (inout OtherSigner) -> Void { { $0.key = key } }

    /// The signers that make the key otherwise.
    static let keys: [OtherSigner] = [
        OtherSigner("no token secret", .tokenSecretMissing, right, change: key("cons%2Fsecret&")),
        OtherSigner("no consumer secret", .consumerSecretMissing, right, change: key("&tok%26secret")),
        OtherSigner("no &", .ampersandMissing, right, change: key("cons%2Fsecrettok%26secret")),
        OtherSigner("secrets not encoded", .secretNotEncoded, right, change: key("cons/secret&tok&secret")),
        OtherSigner("secrets encoded twice", .secretEncodedTwice, right, change: key("cons%252Fsecret&tok%2526secret")),
        OtherSigner("secrets swapped", .secretsSwapped, right, change: key("tok%26secret&cons%2Fsecret")),
        OtherSigner(
            "a line end behind a secret",
            .secretWhitespace,
            right,
            change: key("cons%2Fsecret%0A&tok%26secret")
        ),
        OtherSigner("the token for its secret", .identifierForSecret, right, change: key("cons%2Fsecret&tk")),
        OtherSigner("the key encoded whole", .keyEncoded, right, change: key("cons%2Fsecret%26tok%26secret")),
        OtherSigner("another hash than said", .hash, right) { $0.hash = "HMAC-SHA256" },
        OtherSigner(
            "secrets swapped in PLAINTEXT",
            .secretsSwapped,
            right,
            sent: [
                ("oauth_consumer_key", "ck"), ("oauth_signature_method", "PLAINTEXT"), ("oauth_token", "tk"),
                ("oauth_version", "1.0"),
            ]
        ) {
            $0.signatureMethod = "PLAINTEXT"
            $0.key = "tok%26secret&cons%2Fsecret"
        },
    ]

    /// Right signatures, written wrong.
    static let spellings: [OtherSigner] = [
        OtherSigner("Base64 not encoded", .signatureNotEncoded, right) { $0.write = { $0.base64EncodedString() } },
        OtherSigner("Base64 encoded twice", .signatureEncodedTwice, right) {
            $0.write = { encoded(encoded($0.base64EncodedString())) }
        },
        OtherSigner("a line end behind the Base64", .signatureFormat, right) {
            $0.write = { encoded($0.base64EncodedString() + "\n") }
        },
        OtherSigner("hexadecimal digits", .signatureFormat, right) {
            $0.write = { $0.map { String(format: "%02x", $0) }.joined() }
        },
        OtherSigner("hexadecimal digits in Base64", .signatureFormat, right) {
            $0.write = { encoded(Data($0.map { String(format: "%02x", $0) }.joined().utf8).base64EncodedString()) }
        },
        OtherSigner("no padding", .signatureFormat, right) {
            $0.write = { encoded($0.base64EncodedString().replacing("=", with: "")) }
        },
    ]
}
