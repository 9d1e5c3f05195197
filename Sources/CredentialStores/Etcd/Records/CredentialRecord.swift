import Credentials
import FoundationEssentials

/// The contents of the record of one credential: whether it is there (1 byte, 0: it was removed), the version of the
/// credential's encoding (1), the API's and the account's names, each with its length (2) before it, and the credential
/// as ``StoredCredential/encoded()`` has it.
///
/// The record of a credential that was removed stays: etcd would begin anew to count the writes of its key, and older
/// records could be put back unnoticed.
struct CredentialRecord: Equatable {
    /// No contents of ours are larger, wherever they are kept.
    private static let byteLimit = 65_536

    let name: CredentialName
    /// The credential; nil when it was removed.
    let credential: StoredCredential?

    init(name: CredentialName, credential: StoredCredential?) {
        self.name = name
        self.credential = credential
    }

    init(contents: Data) throws(RecordFault) {
        var reader = ByteReader(contents)
        guard let isPresent = reader.number(UInt8.self), let version = reader.number(UInt8.self),
            let apiCount = reader.number(UInt16.self),
            let api = reader.take(Int(apiCount)).flatMap({ String(validating: $0, as: UTF8.self) }),
            let accountCount = reader.number(UInt16.self),
            let account = reader.take(Int(accountCount)).flatMap({ String(validating: $0, as: UTF8.self) })
        else { throw .damaged }
        name = CredentialName(api: api, account: account)
        guard isPresent == 1 else {
            guard isPresent == 0, reader.isAtEnd else { throw .damaged }
            credential = nil
            return
        }
        let rest = contents.dropFirst(reader.position(in: contents))
        guard let credential = StoredCredential(encoded: rest, version: version) else { throw .damaged }
        self.credential = credential
    }

    /// Returns whether the contents of a record have a credential, and do not only tell that one was removed.
    static func hasCredential(_ contents: Data) -> Bool { contents.first == 1 }

    /// The caller wipes it.
    /// - Throws: ``VaultError/nameTooLong(bytes:limit:)`` or ``VaultError/credentialTooLarge(bytes:limit:)``.
    func contents() throws(VaultError) -> Data {
        let nameCount = name.api.utf8.count + name.account.utf8.count
        guard nameCount <= CredentialName.byteLimit else {
            throw .nameTooLong(bytes: nameCount, limit: CredentialName.byteLimit)
        }
        var encoded = credential?.encoded() ?? Data()
        defer { encoded.wipe() }
        let count = 6 + nameCount + encoded.count
        guard count <= Self.byteLimit else { throw .credentialTooLarge(bytes: count, limit: Self.byteLimit) }
        // Room for all of it at once: growing would leave copies of the secrets behind.
        var contents = Data(capacity: count)
        contents.append(credential == nil ? 0 : 1)
        contents.append(StoredCredential.encodingVersion)
        for part in [name.api, name.account] {
            contents.append(bigEndian: UInt16(part.utf8.count))
            contents.append(contentsOf: part.utf8)
        }
        contents.append(encoded)
        return contents
    }
}
