import Foundation
import Testing

/// One published fact of `Vectors/oauth1-vectors.jsonl`.
package struct Vector: Decodable, Sendable {
    package enum Kind: String, Decodable, CaseIterable {
        case request
        case sign
        case encode
        case normalize
        case baseURI = "base_uri"
        case bodyHash = "body_hash"
    }

    /// The relation of what the source printed to what the RFC yields.
    package enum Conformance: String, Decodable {
        case rfc
        case deviates
    }

    package struct Request: Decodable {
        package let method: String
        package let url: String
        package let hostHeader: String?
        package let contentType: String?
        package let body: String?
        package let bodyB64: String?

        package var bytes: [UInt8]? {
            bodyB64.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? body.map { Array($0.utf8) }
        }
    }

    package struct Credentials: Decodable {
        package let consumerKey: String?
        package let consumerSecret: String?
        package let token: String?
        package let tokenSecret: String?
        package let rsaPrivateKeyPem: String?
    }

    package struct Expected: Decodable {
        package let baseUri: String?
        package let normalizedParams: String?
        package let baseString: String?
        package let signingKey: String?
        package let signature: String?
        package let authorizationHeader: String?
        package let signedParams: String?
        package let encoded: String?
        package let bodyHash: String?
    }

    package let id: String
    package let kind: Kind
    package let name: String
    package let conformance: Conformance
    package let canSign: Bool
    package let request: Request?
    package let input: String?
    package let inputB64: String?
    package let credentials: Credentials?
    package let oauthParams: [[String]]?
    package let signatureMethod: String?
    package let realm: String?
    package let transmission: String?
    package let expected: Expected
    package let published: [String: String]?

    /// `input_b64`, else the UTF-8 bytes of `input`.
    package var inputBytes: [UInt8] {
        inputB64.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? Array((input ?? "").utf8)
    }

    /// The value of a protocol parameter that is sent, nil when it is not.
    package func parameter(_ name: String) -> String? {
        oauthParams?.first { $0.first == name }?.last
    }
}

extension Vector: CustomTestStringConvertible {
    package var testDescription: String {
        conformance == .deviates ? "\(id) (\(name)): published otherwise than RFC 5849 says" : "\(id) (\(name))"
    }
}
