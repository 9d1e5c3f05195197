import Glibc
package import SystemPackage

// MARK: - Directories by their paths

extension Directory {
    /// Makes a directory, and those above it that are missing, which are open to the owner alone. Nothing happens to
    /// what exists.
    ///
    /// - Parameter mode: Its permission bits, without those of the umask.
    package static func create(path: String, mode: UInt32 = 0o700) throws(Errno) {
        if unsafe mkdir(path, mode) == 0 { return try Directory(path: parent(of: path)).sync() }
        switch errno {
        case EEXIST: return
        case ENOENT:
            let parent = parent(of: path)
            guard parent != path else { throw .noSuchFileOrDirectory }
            try create(path: parent)
            guard unsafe mkdir(path, mode) == 0 || errno == EEXIST else { throw Errno.last }
            try Directory(path: parent).sync()
        default: throw Errno.last
        }
    }

    /// The last component of a path: "." where it names none.
    package static func name(of path: String) -> String {
        path.split(separator: "/").last.map { String($0) } ?? "."
    }

    /// The path without its last component: "." for a name alone.
    package static func parent(of path: String) -> String {
        var rest = Substring(path)
        while rest.count > 1, rest.last == "/" { rest.removeLast() }
        guard let slash = rest.lastIndex(of: "/") else { return "." }
        rest = rest[..<slash]
        while rest.last == "/" { rest.removeLast() }
        return rest.isEmpty ? "/" : String(rest)
    }

    /// The path from the root: a relative one is taken from the working directory.
    package static func absolutePath(of path: String) -> String {
        guard !path.hasPrefix("/"), let working = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(working) }
        return unsafe "\(String(cString: working))/\(path)"
    }

    /// Removes what a path names, as ``removeAll(_:)`` does.
    package static func removeAll(path: String) throws(Errno) {
        try Directory(path: parent(of: path)).removeAll(name(of: path))
    }
}
