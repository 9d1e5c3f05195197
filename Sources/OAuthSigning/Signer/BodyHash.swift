import Bytes
import Crypto

/// `oauth_body_hash` of the OAuth Request Body Hash extension: the hash that belongs to the signature method, in
/// Base64.
package enum BodyHash {
    package static let parameterName = "oauth_body_hash"

    /// Returns the hash by SHA-1, SHA-256 or SHA-512 as `method` names it; by SHA-1 for PLAINTEXT, which names none.
    package static func text(of body: Span<UInt8>, for method: SignatureMethod) -> String {
        switch method.hashAlgorithm {
        case .sha1: text(of: body, with: Insecure.SHA1())
        case .sha256: text(of: body, with: SHA256())
        case .sha512: text(of: body, with: SHA512())
        }
    }

    /// Returns the hash as the other does; no body is an empty one.
    package static func text(of body: Span<UInt8>?, for method: SignatureMethod) -> String {
        guard let body else { return text(of: [UInt8]().span, for: method) }
        return text(of: body, for: method)
    }

    private static func text(of body: Span<UInt8>, with function: some HashFunction) -> String {
        var function = function
        function.update(body)
        return function.finalize().withByteSpan { String(decoding: Base64.encode($0), as: UTF8.self) }
    }
}
