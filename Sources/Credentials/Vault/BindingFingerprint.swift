import Crypto
import FoundationEssentials

/// A keyed hash of a ``CredentialBinding`` (HMAC-SHA256), as a stored credential carries it. The key is the
/// credential's own: two that were obtained alike have nothing in common.
package struct BindingFingerprint: Sendable, Equatable {
    static let keyCount = 16
    static let codeCount = 32

    let key: [UInt8]
    let code: [UInt8]

    init(key: [UInt8], code: [UInt8]) {
        self.key = key
        self.code = code
    }

    package init(_ binding: CredentialBinding) {
        key = (0..<Self.keyCount).map { _ in UInt8.random(in: .min ... .max) }
        code = Array(HMAC<SHA256>.authenticationCode(for: binding.bytes, using: SymmetricKey(data: key)))
    }

    package func matches(_ binding: CredentialBinding) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: binding.bytes, using: SymmetricKey(data: key))
    }
}
