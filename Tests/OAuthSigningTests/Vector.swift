import Foundation
import Testing

/// One published fact of `Vectors/oauth1-vectors.jsonl`.
struct Vector: Decodable, Sendable {
    enum Kind: String, Decodable, CaseIterable {
        case request
        case sign
        case encode
        case normalize
        case baseURI = "base_uri"
        case bodyHash = "body_hash"
    }

    /// Whether what the source printed is what the RFC yields.
    enum Conformance: String, Decodable {
        case rfc
        case deviates
    }

    struct Request: Decodable {
        let method: String
        let url: String
        let hostHeader: String?
        let contentType: String?
        let body: String?
        let bodyB64: String?

        var bytes: [UInt8]? {
            bodyB64.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? body.map { Array($0.utf8) }
        }
    }

    struct Credentials: Decodable {
        let consumerKey: String?
        let consumerSecret: String?
        let token: String?
        let tokenSecret: String?
        let rsaPrivateKeyPem: String?
    }

    struct Expected: Decodable {
        let baseUri: String?
        let normalizedParams: String?
        let baseString: String?
        let signingKey: String?
        let signature: String?
        let authorizationHeader: String?
        let signedParams: String?
        let encoded: String?
        let bodyHash: String?
    }

    let id: String
    let kind: Kind
    let name: String
    let conformance: Conformance
    let canSign: Bool
    let request: Request?
    let input: String?
    let inputB64: String?
    let credentials: Credentials?
    let oauthParams: [[String]]?
    let signatureMethod: String?
    let realm: String?
    let transmission: String?
    let expected: Expected
    let published: [String: String]?

    /// `input_b64`, else the UTF-8 bytes of `input`.
    var inputBytes: [UInt8] {
        inputB64.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? Array((input ?? "").utf8)
    }

    /// The value of a protocol parameter that is sent, nil when it is not.
    func parameter(_ name: String) -> String? {
        oauthParams?.first { $0.first == name }?.last
    }
}

extension Vector: CustomTestStringConvertible {
    var testDescription: String {
        conformance == .deviates ? "\(id) (\(name)): published otherwise than RFC 5849 says" : "\(id) (\(name))"
    }
}
