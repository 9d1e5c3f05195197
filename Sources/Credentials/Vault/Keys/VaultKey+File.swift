import Files
import FoundationEssentials
import SystemPackage

extension VaultKey {
    /// Reads the key from its file, or makes the file with a new key when there is none: 0600, complete or not at all.
    /// When two processes do so at once, both get the key of the one that came first.
    ///
    /// - Parameter path: A file with 32 bytes in base64, closed to all but its owner. Directories above it that are
    ///   missing are made, 0700.
    /// - Throws: ``VaultError/keyFileAccessible(path:mode:)``, ``VaultError/keyMalformed(path:)`` or
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
    static func load(path: String) throws(VaultError) -> VaultKey? {
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
        case .oversized, .read(nil, mode: _): throw .keyMalformed(path: path)
        case .read(let key?, let mode):
            guard mode & 0o077 == 0 else { throw .keyFileAccessible(path: path, mode: mode) }
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
