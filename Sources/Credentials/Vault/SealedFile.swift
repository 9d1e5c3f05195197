import Crypto
package import FoundationEssentials

/// A vault file's bytes. Numbers are big-endian.
///
///     magic        7   "PARAPH" and a zero byte
///     version      1   4 (files of versions 1 to 3 are read)
///     key          8   identifier of the vault key
///     API          2 + n   length and bytes, UTF-8
///     account      2 + n   likewise
///     length       4   of all that follows the nonce
///     nonce        12
///     ciphertext   n   AES-256-GCM of ``StoredCredential/encoded()``
///     tag          16
///
/// Everything before the nonce is authenticated with the ciphertext: a file says whose credential it is, and cannot be
/// passed off as another's. The nonce is random: a key would have to seal billions of files for two to meet.
struct SealedFile {
    private static let magic = Array("PARAPH\0".utf8)
    private static let newestVersion = StoredCredential.encodingVersion
    private static let nonceCount = 12
    private static let tagCount = 16

    /// No file of ours is larger.
    static let limit = 65_536

    /// The name of the credential that it says it holds; true once it has been opened.
    let name: CredentialName
    let keyIdentifier: [UInt8]
    private let version: UInt8
    private let path: String
    private let header: Data
    private let nonceAndSealed: Data

    /// Takes a file apart, and opens nothing.
    /// - Parameter path: The path of the file, for the errors.
    init(_ bytes: Data, path: String) throws(VaultError) {
        var reader = ByteReader(bytes)
        guard let magic = reader.take(Self.magic.count), magic.elementsEqual(Self.magic),
            let version = reader.take(1)?.first
        else { throw .notSealed(path: path) }
        guard 1...Self.newestVersion ~= version else { throw .unknownVersion(path: path, version: version) }
        guard let identifier = reader.take(8), let apiCount = reader.number(UInt16.self),
            let api = reader.take(Int(apiCount)), let accountCount = reader.number(UInt16.self),
            let account = reader.take(Int(accountCount)), let sealedCount = reader.number(UInt32.self)
        else { throw .truncated(path: path) }
        header = bytes.prefix(reader.position(in: bytes))
        guard let nonceAndSealed = reader.take(Self.nonceCount + Int(sealedCount)) else { throw .truncated(path: path) }
        guard reader.isAtEnd, let api = String(validating: api, as: UTF8.self),
            let account = String(validating: account, as: UTF8.self)
        else { throw .damaged(path: path) }
        name = CredentialName(api: api, account: account)
        keyIdentifier = Array(identifier)
        self.version = version
        self.path = path
        self.nonceAndSealed = nonceAndSealed
    }

    /// The identifier of the key that a file says it is sealed under, whatever is wrong with the rest of it; nil when
    /// it says none.
    static func keyIdentifier(in bytes: Data) -> [UInt8]? {
        var reader = ByteReader(bytes)
        guard let magic = reader.take(magic.count), magic.elementsEqual(Self.magic), reader.take(1) != nil else {
            return nil
        }
        return reader.take(8).map { Array($0) }
    }

    func open(under key: VaultKey) throws(VaultError) -> StoredCredential {
        var plaintext = try plaintext(under: key)
        defer { plaintext.wipe() }
        guard let credential = StoredCredential(encoded: plaintext, version: version) else {
            throw .damaged(path: path)
        }
        return credential
    }

    /// The bytes of the same file, of the same version, under another key.
    func resealed(from key: VaultKey, to newKey: VaultKey) throws(VaultError) -> Data {
        var plaintext = try plaintext(under: key)
        defer { plaintext.wipe() }
        return try Self.seal(plaintext, version: version, for: name, under: newKey)
    }

    static func seal(
        _ credential: StoredCredential,
        for name: CredentialName,
        under key: VaultKey
    ) throws(VaultError) -> Data {
        var plaintext = credential.encoded()
        defer { plaintext.wipe() }
        return try seal(plaintext, version: newestVersion, for: name, under: key)
    }

    /// The caller wipes it.
    private func plaintext(under key: VaultKey) throws(VaultError) -> Data {
        guard keyIdentifier == key.identifier else { throw .otherKey(path: path) }
        do {
            let box = try AES.GCM.SealedBox(combined: nonceAndSealed)
            return try AES.GCM.open(box, using: key.sealingKey, authenticating: header)
        } catch {
            throw .damaged(path: path)
        }
    }

    private static func seal(
        _ plaintext: Data,
        version: UInt8,
        for name: CredentialName,
        under key: VaultKey
    ) throws(VaultError) -> Data {
        let nameCount = name.api.utf8.count + name.account.utf8.count
        guard nameCount <= CredentialName.byteLimit else {
            throw .nameTooLong(bytes: nameCount, limit: CredentialName.byteLimit)
        }
        var file = Data()
        file.append(contentsOf: magic)
        file.append(version)
        file.append(contentsOf: key.identifier)
        for part in [name.api, name.account] {
            file.append(bigEndian: UInt16(part.utf8.count))
            file.append(contentsOf: part.utf8)
        }
        let count = file.count + 4 + nonceCount + plaintext.count + tagCount
        guard count <= limit else { throw .credentialTooLarge(bytes: count, limit: limit) }
        file.append(bigEndian: UInt32(plaintext.count + tagCount))
        do {
            let box = try AES.GCM.seal(plaintext, using: key.sealingKey, authenticating: file)
            file.append(contentsOf: box.nonce)
            file.append(box.ciphertext)
            file.append(box.tag)
        } catch {
            // AES-GCM refuses only keys and nonces of another length than these.
            throw .credentialTooLarge(bytes: count, limit: limit)
        }
        return file
    }
}

/// Takes a run of bytes apart from its beginning. Whatever would go beyond the end is nil.
package struct ByteReader {
    private var rest: Data

    package init(_ bytes: Data) {
        rest = bytes
    }

    package var isAtEnd: Bool { rest.isEmpty }

    /// A copy of the next bytes.
    package mutating func take(_ count: Int) -> Data? {
        guard count <= rest.count else { return nil }
        let end = rest.startIndex + count
        defer { rest = rest[end...] }
        return rest.subdata(in: rest.startIndex..<end)
    }

    /// A big-endian number.
    package mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) -> Number? {
        take(Number.bitWidth / 8)?.reduce(0) { $0 << 8 | Number($1) }
    }

    /// Returns the number of bytes that have been taken off the run that it began with.
    package func position(in bytes: Data) -> Int { bytes.count - rest.count }
}
