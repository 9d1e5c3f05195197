import Crypto
import Foundation
import Testing

@testable import OAuthSigning
@testable import SignatureComparison

/// Another signer, written without anything of the code under test: it is told its base string and its key.
struct OtherSigner: Sendable, CustomTestStringConvertible {
    let title: String
    var method = "GET"
    var url = "https://api.example.com/r?a=1"
    var host: String?
    var contentType: String?
    var body: String?
    var tokenSecret: String? = "tok&secret"
    /// The base string that it signed, byte for byte.
    let base: String
    var key = "cons%2Fsecret&tok%26secret"
    /// Makes the bytes of the signature, where that is not an HMAC by the hash below.
    var sign: (@Sendable (_ key: Data, _ text: Data) -> Data)?
    /// The method that it says it signed with, and beside it the one that it did.
    var signatureMethod = "HMAC-SHA1"
    var hash = "HMAC-SHA1"
    /// Names and values of its field as they are written, without the signature.
    var sent: [(String, String)]
    var realm: String?
    /// The text that it makes of the bytes of the signature.
    var write: @Sendable (Data) -> String = { OtherSigner.encoded($0.base64EncodedString()) }
    let cause: ComparisonCause

    /// The parameters of the protocol as they stand in the base string when nothing is wrong with them.
    static let ours =
        "oauth_consumer_key%3Dck%26oauth_nonce%3Dn1%26oauth_signature_method%3DHMAC-SHA1%26"
        + "oauth_timestamp%3D1700000000%26oauth_token%3Dtk%26oauth_version%3D1.0"
    static let usual = [
        ("oauth_consumer_key", "ck"), ("oauth_nonce", "n1"), ("oauth_signature_method", "HMAC-SHA1"),
        ("oauth_timestamp", "1700000000"), ("oauth_token", "tk"), ("oauth_version", "1.0"),
    ]

    init(
        _ title: String,
        _ cause: ComparisonCause,
        _ base: String,
        sent: [(String, String)] = OtherSigner.usual,
        change: (inout OtherSigner) -> Void = { _ in }
    ) {
        self.title = title
        self.cause = cause
        self.base = base
        self.sent = sent
        change(&self)
    }

    var testDescription: String { title }

    var header: String {
        let message = Data(base.utf8)
        let digest = sign?(Data(key.utf8), message) ?? code(SymmetricKey(data: Data(key.utf8)), message)
        let signature = signatureMethod == "PLAINTEXT" ? Self.encoded(self.key) : write(digest)
        let pairs = sent + [("oauth_signature", signature)]
        let fields = (realm.map { [("realm", $0)] } ?? []) + pairs
        return "OAuth " + fields.map { "\($0)=\"\($1)\"" }.joined(separator: ", ")
    }

    private func code(_ key: SymmetricKey, _ message: Data) -> Data {
        switch hash {
        case "HMAC-SHA256": Data(HMAC<SHA256>.authenticationCode(for: message, using: key))
        case "HMAC-SHA512": Data(HMAC<SHA512>.authenticationCode(for: message, using: key))
        default: Data(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
        }
    }

    static func encoded(_ text: String) -> String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    /// The same request as ours, with our secrets.
    var request: ExplainableRequest {
        ExplainableRequest(
            method: method,
            url: url,
            host: host,
            contentType: contentType,
            body: body.map { Array($0.utf8) },
            credentials: ExplainableCredentials(
                consumerKey: "ck",
                consumerSecret: Secret("cons/secret"),
                token: tokenSecret == nil ? nil : "tk",
                tokenSecret: tokenSecret.map { Secret($0) }
            ),
            options: SigningOptions(
                signatureMethod: SignatureMethod(rawValue: signatureMethod) ?? .hmacSHA1,
                realm: realm
            )
        )
    }

    func compared(secretNames: [String] = []) throws -> SignatureComparison {
        try SignatureComparison(
            of: request,
            with: ComparedSigner(header),
            secretNames: secretNames,
            now: 1_700_000_010
        )
    }
}
