import Bytes
import Crypto
import Files
import FoundationEssentials
import Synchronization
import SystemPackage

/// The keys that a vault's files may be sealed under at present, followed while others change them.
///
/// While a vault is re-keyed, the next key lies beside the key's file (``nextPath(of:)``), and files of either key are
/// in the vault. At the end the next key takes the file's place. A key that the configuration has itself is followed by
/// a ``KeySuccessor``.
final class KeyRing: Sendable {
    /// The keys, at least one, the one to seal under last.
    struct Keys: Sendable {
        private var first: VaultKey
        private var later: [VaultKey] = []

        init(_ first: VaultKey) { self.first = first }

        mutating func append(_ key: VaultKey) { later.append(key) }

        var sealing: VaultKey { later.last ?? first }

        func key(_ identifier: [UInt8]) -> VaultKey? {
            (later + [first]).first { $0.identifier == identifier }
        }
    }

    private struct State {
        var keys: Keys
        /// The file to follow.
        var path: String?
        /// The stamps of the next key's file and of the key's.
        var stamps: [Directory.Stamp?] = []
    }

    let source: VaultKeySource
    private let directoryPath: String
    private let state: Mutex<State>

    static func nextPath(of path: String) -> String { path + ".next" }

    /// - Parameter directory: The vault's, and its path for the errors.
    init(_ source: VaultKeySource, directory: borrowing Directory, path directoryPath: String) throws(VaultError) {
        self.source = source
        self.directoryPath = directoryPath
        switch source {
        case .value(let key):
            state = Mutex(State(keys: Keys(key)))
            _ = try current(in: directory)
        case .file(let path):
            let stamps = try Self.stamps(of: path)
            state = Mutex(State(keys: try Self.keys(before: nil, path: path), path: path, stamps: stamps))
        }
    }

    /// The keys as they were when last looked at.
    var held: Keys { state.withLock { $0.keys } }

    /// Returns the keys as they are now. Whoever stores must ask while holding the vault's lock.
    /// - Parameter directory: The vault's.
    func current(in directory: borrowing Directory) throws(VaultError) -> Keys {
        let path = try followedPath(in: directory)
        return try state.withLock { state throws(VaultError) in
            // Once followed, always followed: the files of the new key need it even if the note is removed.
            state.path = state.path ?? path
            guard let path = state.path else { return state.keys }
            // Taken before the files are read: what changes meanwhile is noticed the next time.
            let stamps = try Self.stamps(of: path)
            if stamps != state.stamps {
                state.keys = try Self.keys(before: configured, path: path)
                state.stamps = stamps
            }
            return state.keys
        }
    }

    private var configured: VaultKey? {
        guard case .value(let key) = source else { return nil }
        return key
    }

    /// The file that holds the vault's key: the configuration's, or the one that a ``KeySuccessor`` names; nil while
    /// the key is the configuration's own.
    func followedPath(in directory: borrowing Directory) throws(VaultError) -> String? {
        if let path = state.withLock({ $0.path }) { return path }
        guard let key = configured else { return nil }
        let name = KeySuccessor.fileName(for: key)
        let content: Directory.Content<KeySuccessor?>
        do throws(Errno) {
            content = try directory.read(name, limit: KeySuccessor.limit) { bytes in
                KeySuccessor(Data(copying: bytes), under: key)
            }
        } catch {
            throw .fileUnreadable(path: directoryPath + "/" + name, reason: error.reason)
        }
        switch content {
        case .missing: return nil
        case .read(let successor?, rights: _): return successor.path
        case .notAFile, .oversized, .read(nil, rights: _): throw .damaged(path: directoryPath + "/" + name)
        }
    }

    /// The order matters to all of these: what is gone from the next key's file has come into the key's.
    private static func stamps(of path: String) throws(VaultError) -> [Directory.Stamp?] {
        do throws(Errno) {
            return [try Directory.stamp(path: nextPath(of: path)), try Directory.stamp(path: path)]
        } catch {
            throw .keyFileUnusable(path: path, reason: error.reason)
        }
    }

    private static func keys(before configured: VaultKey?, path: String) throws(VaultError) -> Keys {
        let next = try VaultKey.load(path: nextPath(of: path))
        guard let key = try VaultKey.load(path: path) else {
            throw .keyFileUnusable(path: path, reason: "it does not exist")
        }
        var keys = Keys(configured ?? key)
        if configured != nil { keys.append(key) }
        if let next { keys.append(next) }
        return keys
    }
}

/// A note in the vault for those who were configured with a key itself rather than a file of it: that the vault's key
/// is now in this file. So a process that runs with the old key follows a re-key, and one that is started with it goes
/// on.
///
/// It is sealed under the old key: nobody without it can send a process to a key of their own.
struct KeySuccessor {
    private static let authenticated = Array("paraph vault key successor 1".utf8)
    static let limit = 8_192

    /// The path of the new key's file; absolute.
    let path: String

    /// The note's name in the vault's directory. Each key has its own.
    static func fileName(for key: VaultKey) -> String {
        ".successor-" + Hexadecimal.encode(key.identifier)
    }

    init(path: String) {
        self.path = path
    }

    /// Opens a note; nil when the bytes are none that was sealed under the key.
    init?(_ bytes: Data, under key: VaultKey) {
        guard let box = try? AES.GCM.SealedBox(combined: bytes),
            let plaintext = try? AES.GCM.open(box, using: key.sealingKey, authenticating: Self.authenticated),
            let path = String(validating: plaintext, as: UTF8.self)
        else { return nil }
        self.path = path
    }

    /// Returns the note sealed under a key. It is never nil but in theory: AES-GCM refuses only keys and nonces of
    /// another length than these.
    func sealed(under key: VaultKey) -> Data? {
        try? AES.GCM.seal(Data(path.utf8), using: key.sealingKey, authenticating: Self.authenticated).combined
    }
}
