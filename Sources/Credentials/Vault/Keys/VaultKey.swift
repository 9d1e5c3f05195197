import Crypto
import FoundationEssentials
package import OAuthSigning

/// The key that the vault's files are sealed under: 32 bytes of which the sealing key and its identifier are derived,
/// so that it is itself never used, nor shown.
package struct VaultKey: Sendable {
    private static let byteCount = 32

    private let secret: Secret
    /// The key of AES-256-GCM.
    let sealingKey: SymmetricKey
    /// Eight bytes that tell a file sealed under another key from a damaged one, and nothing else about the key.
    let identifier: [UInt8]

    /// - Parameter base64: 32 bytes in base64 (RFC 4648, section 4, padded); white space around it is ignored.
    /// - Throws: ``VaultError/keyMalformed(path:)``.
    package init(base64: Secret) throws(VaultError) {
        guard let key = base64.withBytes({ VaultKey(base64: $0) }) else { throw .keyMalformed(path: nil) }
        self = key
    }

    init?(base64: Span<UInt8>) {
        let isSpace = { (byte: UInt8) in byte == 0x20 || 0x09...0x0D ~= byte }
        var text = Data(capacity: base64.count)
        for index in base64.indices where !text.isEmpty || !isSpace(base64[index]) { text.append(base64[index]) }
        defer { text.wipe() }
        while let last = text.last, isSpace(last) { text.removeLast() }
        guard var bytes = Data(base64Encoded: text) else { return nil }
        defer { bytes.wipe() }
        guard bytes.count == Self.byteCount else { return nil }
        self.init(bytes: bytes)
    }

    private init(bytes: Data) {
        secret = Secret(bytes: bytes)
        let material = SymmetricKey(data: bytes)
        sealingKey = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material,
            info: Array("paraph vault sealing".utf8),
            outputByteCount: 32
        )
        identifier = Array(
            HMAC<SHA256>.authenticationCode(for: Array("paraph vault key identifier".utf8), using: material).prefix(8)
        )
    }

    /// A new key, from the system's random number generator (getrandom(2)).
    package static func generate() -> VaultKey {
        var generator = SystemRandomNumberGenerator()
        var bytes = Data(capacity: byteCount)
        while bytes.count < byteCount { bytes.append(UInt8.random(in: .min ... .max, using: &generator)) }
        defer { bytes.wipe() }
        return VaultKey(bytes: bytes)
    }

    /// In base64, as its file has it. The caller wipes it.
    var base64: Data {
        var bytes = secret.withBytes { Data(copying: $0) }
        defer { bytes.wipe() }
        return bytes.base64EncodedData()
    }
}

extension VaultKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<vault key>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The source of the vault's key.
package enum VaultKeySource: Sendable {
    /// The configuration has it.
    case value(VaultKey)
    /// It is in a file of its own, as ``VaultKey/loadOrCreate(path:)`` reads and makes it. The file is looked at again
    /// whenever something is stored, so that a running process follows a re-key.
    case file(path: String)
}
