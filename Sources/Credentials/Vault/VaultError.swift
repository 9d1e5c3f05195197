import Bytes
package import Files

/// The reason why the vault, one of its files, or its key is of no use, and what to do about it. Each concerns the one
/// path or name that it holds, and nothing else in the vault.
package enum VaultError: Error, Sendable, Equatable {
    case directoryUnusable(path: String, reason: String)
    case directoryAccessible(path: String, mode: UInt32)
    case fileUnreadable(path: String, reason: String)
    case fileUnwritable(path: String, reason: String)
    case notAFile(path: String)
    case oversized(path: String, limit: Int)
    case notSealed(path: String)
    case unknownVersion(path: String, version: UInt8)
    case truncated(path: String)
    case damaged(path: String)
    case otherKey(path: String)
    case otherCredential(path: String, holds: CredentialName)
    case nameTooLong(bytes: Int, limit: Int)
    case credentialTooLarge(bytes: Int, limit: Int)
    case keyFileUnusable(path: String, reason: String)
    case keyFileAccessible(path: String, FileExposure)
    case keyMalformed(path: String?)
    case keyLost(path: String, directory: String)
    case rekeyRunning(directory: String)
    case rekeyImpossible(reason: String)
    case etcdUnavailable(etcd: String, reason: String)
    case etcdRefused(etcd: String, reason: String)
    /// - Parameters:
    ///   - from: The revision that it had before.
    ///   - to: The revision that it had when that was noticed.
    case etcdRestored(etcd: String, from: Int64, to: Int64)
    case recordUnusable(record: String, RecordFault)
    case turnLost(CredentialName)

    /// Indicates whether the store as a whole does not answer, or refuses, whatever it is asked about: it may be
    /// otherwise in a while.
    package var isUnavailability: Bool {
        switch self {
        case .etcdUnavailable, .etcdRefused: true
        default: false
        }
    }

    /// Indicates whether what is stored of one account is an older credential, or an altered one, that somebody else
    /// has put there: it is never of use again.
    package var isOfRecordPutBack: Bool {
        switch self {
        case .recordUnusable(_, .putBack), .recordUnusable(_, .damaged): true
        default: false
        }
    }
}

extension VaultError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .directoryUnusable(let path, let reason):
            "The vault directory \(path) cannot be used: \(reason). state: PATH in the configuration, or vault: {directory: "
                + "PATH}, names another place."
        case .directoryAccessible(let path, let mode):
            "The vault directory \(path) is open to others than its owner (mode \(octal(mode))). "
                + "Close it: chmod 700 \(shellQuoted(path))"
        case .fileUnreadable(let path, let reason):
            "The vault file \(path) cannot be read: \(reason)."
        case .fileUnwritable(let path, let reason):
            "The vault file \(path) cannot be written: \(reason). No file was damaged; make room, or the directory writable."
        case .notAFile(let path):
            "\(path) is not a regular file, and the vault follows no links. Move it out of the vault."
        case .oversized(let path, let limit):
            "The vault file \(path) is larger than any that the vault writes (\(limit) bytes). " + renewal(path)
        case .notSealed(let path):
            "\(path) is not a file of the vault's making, or its beginning is damaged. " + renewal(path)
        case .unknownVersion(let path, let version):
            "The vault file \(path) has version \(version) of the format, which this release does not know. "
                + "Use the release that wrote it, or a newer one."
        case .truncated(let path):
            "The vault file \(path) ends too early. " + renewal(path)
        case .damaged(let path):
            "The vault file \(path) is damaged, or was altered. " + renewal(path)
        case .otherKey(let path):
            "The vault file \(path) is sealed under another vault key. Configure the key that it was sealed under. "
                + "If that key is lost: " + renewal(path)
        case .otherCredential(let path, let name):
            "The vault file \(path) has been renamed: it holds the credential of \(name). "
                + "Give it back its name, or remove it."
        case .nameTooLong(let bytes, let limit):
            "The API's and account's names have \(bytes) bytes, more than the \(limit) that the vault takes. "
                + "Shorten them."
        case .credentialTooLarge(let bytes, let limit):
            "The credential has \(bytes) bytes, more than the \(limit) that the vault takes."
        case .keyFileUnusable(let path, let reason):
            "The vault key's file \(path) cannot be used: \(reason)."
        case .keyFileAccessible(let path, let exposure):
            "The vault key's file \(path) \(exposure.problem); \(exposure.remedy(shellQuoted(path)))"
        case .keyMalformed(let path):
            "The vault key\(path.map { " in \($0)" } ?? "") is not 32 bytes in base64. "
                + "Make one with: head -c 32 /dev/urandom | base64"
        case .keyLost(let path, let directory):
            "The vault \(directory) holds sealed credentials, but the file \(path) with its key does not exist. Restore "
                + "that file. If it is lost, remove the directory: then enrolled accounts have to be registered again, and "
                + "those of three_legged to log in again."
        case .rekeyRunning(let directory):
            "The vault \(directory) is being re-keyed by another process. Wait until that has ended."
        case .rekeyImpossible(let reason):
            "The vault cannot be re-keyed: \(reason)"
        case .etcdUnavailable(let etcd, let reason):
            "etcd (\(etcd)) cannot be reached: \(reason)."
        case .etcdRefused(let etcd, let reason):
            "etcd (\(etcd)) has refused a request of the vault: \(reason)."
        case .etcdRestored(let etcd, let from, let to):
            "etcd (\(etcd)) was restored from a backup: its revision was \(from), and is \(to). What was stored since the "
                + "backup is lost, and a refresh token that may be used once is not sent any more if it was stored up to "
                + "then: it may have been used since. Accounts with a password get new tokens by themselves; have the "
                + "others log in (paraph login) or be enrolled (POST /register) again."
        case .recordUnusable(let record, let fault):
            "The vault's record of \(record) in etcd \(fault)."
        case .turnLost(let name):
            "The turn at exchanging a token for \(name) is over: another replica may have it."
        }
    }

    private func renewal(_ path: String) -> String {
        "Restore it from a copy, or remove it (rm \(shellQuoted(path))) and get the account a new credential: an enrolled one "
            + "by POST /register, one of three_legged by paraph login; others get theirs by themselves."
    }

    private func octal(_ mode: UInt32) -> String {
        let digits = String(mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
