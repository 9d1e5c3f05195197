import Bytes
package import Crypto
import Files
package import FoundationEssentials
package import OAuthSigning
import SystemPackage

/// The key that the vault's files are sealed under: 32 bytes of which the sealing key and its identifier are derived,
/// so that it is itself never used, nor shown.
package struct VaultKey: Sendable {
    private static let byteCount = 32

    private let secret: Secret
    /// The key of AES-256-GCM.
    let sealingKey: SymmetricKey
    /// Eight bytes that tell a file sealed under another key from a damaged one, and nothing else about the key.
    package let identifier: [UInt8]

    /// - Parameter base64: 32 bytes in base64 (RFC 4648, section 4, padded); white space around it is ignored.
    /// - Throws: ``VaultError/keyMalformed(path:)``.
    package init(base64: Secret) throws(VaultError) {
        guard let key = base64.withBytes({ VaultKey(base64: $0) }) else { throw .keyMalformed(path: nil) }
        self = key
    }

    init?(base64: Span<UInt8>) {
        let isSpace = { (byte: UInt8) in byte == 0x20 || 0x09...0x0D ~= byte }
        var text: [UInt8] = []
        text.reserveCapacity(base64.count)
        for index in base64.indices where !text.isEmpty || !isSpace(base64[index]) { text.append(base64[index]) }
        defer { text.wipe() }
        while let last = text.last, isSpace(last) { text.removeLast() }
        guard var bytes = Base64.decode(text.span, allowsSpareBits: true) else { return nil }
        defer { bytes.wipe() }
        guard bytes.count == Self.byteCount else { return nil }
        self.init(bytes: bytes)
    }

    private init(bytes: [UInt8]) {
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

    /// Returns the key of AES-256-GCM, or of HMAC-SHA256, that is derived for one use. Keys of different uses tell
    /// nothing about each other.
    package func derivedKey(for use: String) -> SymmetricKey {
        var bytes = secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        defer { bytes.wipe() }
        return HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: bytes),
            info: Array("paraph \(use)".utf8),
            outputByteCount: 32
        )
    }

    /// A new key, from the system's random number generator (getrandom(2)).
    package static func generate() -> VaultKey {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        while bytes.count < byteCount { bytes.append(UInt8.random(in: .min ... .max, using: &generator)) }
        defer { bytes.wipe() }
        return VaultKey(bytes: bytes)
    }

    /// The key in base64, as its file has it. The caller wipes it.
    var base64: [UInt8] { secret.withBytes { Base64.encode($0) } }
}

extension VaultKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<vault key>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The place where the key is written, which decides who makes it, and whether a re-key can replace it.
package enum VaultKeySource: Sendable {
    /// The configuration has it.
    case value(VaultKey)
    /// A key in a file of its own, as ``VaultKey/loadOrCreate(path:)`` reads and makes it. The file is looked at again
    /// whenever something is stored, so that a running process follows a re-key.
    case file(path: String)
}

extension VaultKey {
    /// Reads the key from its file, or makes the file with a new key when there is none: 0600, complete or not at all.
    /// When two processes do so at once, both get the key of the one that came first.
    ///
    /// - Parameter path: A file with 32 bytes in base64, closed to all but its owner. Directories above it that are
    ///   missing are made, 0700.
    /// - Throws: ``VaultError/keyFileAccessible(path:_:)``, ``VaultError/keyMalformed(path:)`` or
    ///   ``VaultError/keyFileUnusable(path:reason:)``.
    package static func loadOrCreate(path: String) throws(VaultError) -> VaultKey {
        let name = try fileName(of: path)
        let content: Directory.Content<VaultKey?>
        do throws(Errno) {
            let parent = Directory.parent(of: path)
            try Directory.create(path: parent)
            content = try Directory(path: parent).readOrCreateKey(name)
        } catch {
            throw .keyFileUnusable(path: path, reason: error.reason)
        }
        guard let key = try key(content, path: path) else {
            throw .keyFileUnusable(
                path: path,
                reason: "it is a link to a file that does not exist, or was just removed"
            )
        }
        return key
    }

    /// Reads the key from its file. Returns nil when there is none.
    /// - Throws: As ``loadOrCreate(path:)``.
    package static func load(path: String) throws(VaultError) -> VaultKey? {
        let name = try fileName(of: path)
        let content: Directory.Content<VaultKey?>
        do throws(Errno) {
            content = try Directory(path: Directory.parent(of: path)).readKey(name)
        } catch {
            guard !error.isAbsence else { return nil }
            throw .keyFileUnusable(path: path, reason: error.reason)
        }
        return try key(content, path: path)
    }

    /// Removes the key's file, which nobody has any use for.
    package static func remove(path: String) throws(VaultError) {
        let name = try fileName(of: path)
        do throws(Errno) {
            _ = try Directory(path: Directory.parent(of: path)).remove(name)
        } catch {
            throw .keyFileUnusable(path: path, reason: error.reason)
        }
    }

    /// Removes what processes left that were killed while they made the key's file. None may be making it now.
    static func removeLeftovers(of path: String) throws(VaultError) {
        let beginning = try fileName(of: path) + Directory.temporaryMark
        do throws(Errno) {
            let parent = try Directory(path: Directory.parent(of: path))
            for name in try parent.names() where name.hasPrefix(beginning) { try parent.remove(name) }
        } catch {
            guard !error.isAbsence else { return }
            throw .keyFileUnusable(path: path, reason: error.reason)
        }
    }

    private static func fileName(of path: String) throws(VaultError) -> String {
        guard let name = path.split(separator: "/").last, !path.hasSuffix("/") else {
            throw .keyFileUnusable(path: path, reason: "the path names no file")
        }
        return String(name)
    }

    private static func key(_ content: Directory.Content<VaultKey?>, path: String) throws(VaultError) -> VaultKey? {
        switch content {
        case .missing: return nil
        case .notAFile: throw .keyFileUnusable(path: path, reason: "it is not a regular file")
        case .oversized, .read(nil, rights: _): throw .keyMalformed(path: path)
        case .read(let key?, let rights):
            if let exposure = rights.exposure { throw .keyFileAccessible(path: path, exposure) }
            return key
        }
    }
}

extension Directory {
    /// A new key is written under a name of its own and then linked to its real one, which succeeds for one process
    /// alone: so the file is never seen half-written, and never replaced.
    fileprivate func readOrCreateKey(_ name: String) throws(Errno) -> Content<VaultKey?> {
        let content = try readKey(name)
        guard case .missing = content else { return content }
        let temporary = Self.temporaryName(for: name)
        var bytes = VaultKey.generate().base64
        defer { bytes.wipe() }
        try create(temporary, bytes: bytes.span)
        do throws(Errno) {
            try link(temporary, as: name)
        } catch {
            _ = try? remove(temporary)
            throw error
        }
        try remove(temporary)
        try sync()
        return try readKey(name)
    }

    fileprivate func readKey(_ name: String) throws(Errno) -> Content<VaultKey?> {
        // Links are followed: secrets are often mounted as links. The limit leaves room for white space.
        try read(name, limit: 1024, followingLinks: true) { VaultKey(base64: $0) }
    }
}

extension Data {
    /// Holds nothing else than the bytes of the span: room is reserved once, so that no copy is left behind by growing.
    init(copying bytes: Span<UInt8>) {
        self.init(capacity: bytes.count)
        for index in bytes.indices { append(bytes[index]) }
    }

    /// Overwrites a secret that is no longer needed. Only of use where nothing else shares the storage.
    package mutating func wipe() {
        resetBytes(in: startIndex..<endIndex)
    }
}

extension [UInt8] {
    /// Overwrites a secret, as `wipe()` of `Data` does.
    fileprivate mutating func wipe() {
        for index in indices { self[index] = 0 }
    }
}
