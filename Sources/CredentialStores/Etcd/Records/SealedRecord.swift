import Credentials
import Crypto
import FoundationEssentials

/// A value that a vault keeps in etcd. Numbers are big-endian.
///
///     magic        8   "PARAPHR" and a zero byte
///     version      1   1
///     key          8   identifier of the vault key
///     generation   8   the number of times that the key of the record was written, this time included
///     creation     8   etcd's revision at which that key was made; 0 in the first generation, which makes it
///     nonce        12
///     ciphertext   n   AES-256-GCM of the contents
///     tag          16
///
/// What stands before the nonce is authenticated with the ciphertext, and so is the key under which etcd has the
/// record, its prefix included: a record cannot be passed off as another's. etcd counts how often a key was written: a
/// record that was put back by somebody else has a lower generation than that. Who removes the key, so that etcd begins
/// anew to count, makes it at another revision. What remains is the first record of a key, from which that revision was
/// not known yet: it can be put back, unnoticed, by whoever removes the key before.
///
/// So records are bound to the history of one etcd. A backup that is restored (`etcdctl snapshot restore`) has it;
/// copies of keys and values (`etcdctl make-mirror`) have not, and are told as if somebody had put them back. The nonce
/// is random: a vault key would have to seal billions of records for two to meet.
struct SealedRecord {
    private static let magic = Array("PARAPHR\0".utf8)
    private static let version: UInt8 = 1
    private static let nonceCount = 12
    private static let tagCount = 16

    let keyIdentifier: [UInt8]
    /// The generation that it says it has; true once it has been opened.
    let generation: UInt64
    private let creation: UInt64
    private let header: Data
    private let nonceAndSealed: Data

    /// Takes a record apart, and opens nothing.
    init(_ bytes: Data) throws(RecordFault) {
        var reader = ByteReader(bytes)
        guard let magic = reader.take(Self.magic.count), magic.elementsEqual(Self.magic),
            let version = reader.take(1)?.first
        else { throw .notSealed }
        guard version == Self.version else { throw .unknownVersion(version) }
        guard let identifier = reader.take(8), let generation = reader.number(UInt64.self),
            let creation = reader.number(UInt64.self)
        else { throw .damaged }
        header = bytes.prefix(reader.position(in: bytes))
        let count = bytes.count - header.count
        guard count >= Self.nonceCount + Self.tagCount, let rest = reader.take(count) else { throw .damaged }
        nonceAndSealed = rest
        keyIdentifier = Array(identifier)
        self.generation = generation
        self.creation = creation
    }

    /// - Parameters:
    ///   - recordKey: The key under which etcd has it.
    ///   - pair: The entry in etcd, with its metadata.
    /// - Returns: The contents. The caller wipes them.
    func open(
        under keys: RecordSealingKeys,
        as recordKey: String,
        of pair: EtcdKeyValue
    ) throws(RecordFault) -> Data {
        guard let key = keys.key(keyIdentifier) else { throw .otherKey }
        var contents: Data
        do {
            let box = try AES.GCM.SealedBox(combined: nonceAndSealed)
            contents = try AES.GCM.open(box, using: key, authenticating: header + Data(recordKey.utf8))
        } catch {
            throw .damaged
        }
        guard creation == (generation == 1 ? 0 : pair.creation) else {
            contents.wipe()
            throw .ofEarlierKey(created: creation, now: pair.creation)
        }
        guard generation == pair.writes else {
            contents.wipe()
            throw .putBack(generation: generation, writes: pair.writes)
        }
        return contents
    }

    /// - Parameters:
    ///   - recordKey: The key under which etcd will have it.
    ///   - pair: The entry that etcd has there, which is replaced only if it is still the same; nil: none.
    static func seal(
        _ contents: Data,
        under keys: RecordSealingKeys,
        as recordKey: String,
        inPlaceOf pair: EtcdKeyValue?
    ) throws(RecordFault) -> Data {
        var record = Data(magic)
        record.append(version)
        record.append(contentsOf: keys.sealing.identifier)
        record.append(bigEndian: (pair?.writes ?? 0) + 1)
        record.append(bigEndian: pair?.creation ?? 0)
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
