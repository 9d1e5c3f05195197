import Crypto
import FoundationEssentials
import OAuthSigning

/// A vault file's octets. Numbers are big-endian.
///
///     magic        7   "PARAPH" and a zero octet
///     version      1   2 (files of version 1 are read)
///     key          8   identifier of the vault key
///     API          2 + n   length and octets, UTF-8
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
    private static let version: UInt8 = 2
    private static let nonceCount = 12
    private static let tagCount = 16

    /// No file of ours is larger.
    static let limit = 65_536
    /// Of the API's and the account's name together.
    static let nameLimit = 4_096

    let key: VaultKey

    func seal(_ credential: StoredCredential, for name: CredentialName) throws(VaultError) -> [UInt8] {
        let nameCount = name.api.utf8.count + name.account.utf8.count
        guard nameCount <= Self.nameLimit else { throw .nameTooLong(octets: nameCount, limit: Self.nameLimit) }
        var plaintext = credential.encoded()
        defer { plaintext.wipe() }
        var file = Data()
        file.append(contentsOf: Self.magic)
        file.append(Self.version)
        file.append(contentsOf: key.identifier)
        for part in [name.api, name.account] {
            file.append(bigEndian: UInt16(part.utf8.count))
            file.append(contentsOf: part.utf8)
        }
        let count = file.count + 4 + Self.nonceCount + plaintext.count + Self.tagCount
        guard count <= Self.limit else { throw .credentialTooLarge(octets: count, limit: Self.limit) }
        file.append(bigEndian: UInt32(plaintext.count + Self.tagCount))
        do {
            let box = try AES.GCM.seal(plaintext, using: key.sealingKey, authenticating: file)
            file.append(contentsOf: box.nonce)
            file.append(box.ciphertext)
            file.append(box.tag)
        } catch {
            // AES-GCM refuses only keys and nonces of another length than these.
            throw .credentialTooLarge(octets: count, limit: Self.limit)
        }
        return Array(file)
    }

    /// - Parameter path: of the file, for the error.
    func open(_ octets: Data, path: String) throws(VaultError) -> (name: CredentialName, StoredCredential) {
        var reader = OctetReader(octets)
        guard let magic = reader.take(Self.magic.count), magic.elementsEqual(Self.magic),
            let version = reader.take(1)?.first
        else { throw .notSealed(path: path) }
        guard 1...Self.version ~= version else { throw .unknownVersion(path: path, version: version) }
        guard let identifier = reader.take(8) else { throw .truncated(path: path) }
        guard identifier.elementsEqual(key.identifier) else { throw .otherKey(path: path) }
        guard let apiCount = reader.number(UInt16.self), let api = reader.take(Int(apiCount)),
            let accountCount = reader.number(UInt16.self), let account = reader.take(Int(accountCount)),
            let sealedCount = reader.number(UInt32.self)
        else { throw .truncated(path: path) }
        let header = octets.prefix(reader.position(in: octets))
        guard let nonce = reader.take(Self.nonceCount), let sealed = reader.take(Int(sealedCount)) else {
            throw .truncated(path: path)
        }
        guard reader.isAtEnd, let sealedAs = Self.name(api: api, account: account) else { throw .damaged(path: path) }
        do {
            let box = try AES.GCM.SealedBox(combined: nonce + sealed)
            var plaintext = try AES.GCM.open(box, using: key.sealingKey, authenticating: header)
            defer { plaintext.wipe() }
            guard let credential = StoredCredential(encoded: plaintext, version: version) else {
                throw VaultError.damaged(path: path)
            }
            return (sealedAs, credential)
        } catch {
            throw .damaged(path: path)
        }
    }

    private static func name(api: Data, account: Data) -> CredentialName? {
        guard let api = String(validating: api, as: UTF8.self), let account = String(validating: account, as: UTF8.self)
        else { return nil }
        return CredentialName(api: api, account: account)
    }
}
