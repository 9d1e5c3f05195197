import Credentials
import Crypto
import FoundationEssentials

/// A value that a vault keeps in etcd. Numbers are big-endian.
///
///     magic        8   "PARAPHR" and a zero byte
///     version      1   1
///     key          8   identifier of the vault key
///     generation   8   the number of times that the key of the record was written, this time included
///     nonce        12
///     ciphertext   n   AES-256-GCM of the contents
///     tag          16
///
/// What stands before the nonce is authenticated with the ciphertext, and so is the key under which etcd has the record,
/// its prefix included: a record cannot be passed off as another's. etcd counts how often a key was written: a record that
/// was put back by somebody else has a lower generation than that. The nonce is random: a key would have to seal billions
/// of records for two to meet.
struct SealedRecord {
    private static let magic = Array("PARAPHR\0".utf8)
    private static let version: UInt8 = 1
    private static let nonceCount = 12
    private static let tagCount = 16

    let keyIdentifier: [UInt8]
    /// The generation that it says it has; true once it has been opened.
    let generation: UInt64
    private let header: Data
    private let nonceAndSealed: Data

    /// Takes a record apart, and opens nothing.
    init(_ bytes: Data) throws(RecordFault) {
        var reader = ByteReader(bytes)
        guard let magic = reader.take(Self.magic.count), magic.elementsEqual(Self.magic),
            let version = reader.take(1)?.first
        else { throw .notSealed }
        guard version == Self.version else { throw .unknownVersion(version) }
        guard let identifier = reader.take(8), let generation = reader.number(UInt64.self) else { throw .damaged }
        header = bytes.prefix(reader.position(in: bytes))
        let count = bytes.count - header.count
        guard count >= Self.nonceCount + Self.tagCount, let rest = reader.take(count) else { throw .damaged }
        nonceAndSealed = rest
        keyIdentifier = Array(identifier)
        self.generation = generation
    }

    /// - Parameters:
    ///   - recordKey: The key under which etcd has it.
    ///   - version: etcd's number of times that the key was written.
    /// - Returns: The contents. The caller wipes them.
    func open(under keys: RecordSealingKeys, as recordKey: String, version: UInt64) throws(RecordFault) -> Data {
        guard let key = keys.key(keyIdentifier) else { throw .otherKey }
        var contents: Data
        do {
            let box = try AES.GCM.SealedBox(combined: nonceAndSealed)
            contents = try AES.GCM.open(box, using: key, authenticating: header + Data(recordKey.utf8))
        } catch {
            throw .damaged
        }
        guard generation == version else {
            contents.wipe()
            throw .putBack(generation: generation, writes: version)
        }
        return contents
    }

    /// - Parameters:
    ///   - recordKey: The key under which etcd will have it.
    ///   - generation: The number of times that the key will have been written.
    static func seal(
        _ contents: Data,
        under keys: RecordSealingKeys,
        as recordKey: String,
        generation: UInt64
    ) throws(RecordFault) -> Data {
        var record = Data(magic)
        record.append(version)
        record.append(contentsOf: keys.sealing.identifier)
        record.append(bigEndian: generation)
        do {
            let box = try AES.GCM.seal(
                contents,
                using: keys.sealing.key,
                authenticating: record + Data(recordKey.utf8)
            )
            record.append(contentsOf: box.nonce)
            record.append(box.ciphertext)
            record.append(box.tag)
        } catch {
            // AES-GCM refuses only keys and nonces of another length than these.
            throw .damaged
        }
        return record
    }
}
