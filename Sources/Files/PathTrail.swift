import Glibc

/// The directory entries by which a path leads to its file.
///
/// A path leads elsewhere when one of them is replaced: the file itself, or a link or a directory on the way.
package struct PathTrail: Sendable {
    /// An entry of a directory: another directory, a link, the file, or the first name that is missing.
    package struct Entry: Hashable, Sendable {
        /// Its path has no link in it, unless it is that of the working directory.
        package let directory: String
        package let name: String
        package let isDirectory: Bool
    }

    /// The number of links that the system follows at most (path_resolution(7)).
    private static let mostLinks = 40

    /// The entries in the order in which the system comes to them.
    package private(set) var entries: [Entry] = []

    package init(_ path: String) {
        var directory = path.hasPrefix("/") ? "/" : "."
        var rest = Self.names(path)
        var links = 0
        while let name = rest.popLast() {
            if name == ".." {
                directory += "/.."
                continue
            }
            let place = directory == "/" ? "/\(name)" : "\(directory)/\(name)"
            let stamp = (try? Directory.stamp(path: place, followingLinks: false)) ?? nil
            let isDirectory = stamp?.isDirectory == true
            entries.append(Entry(directory: directory, name: name, isDirectory: isDirectory))
            if isDirectory {
                directory = place
                continue
            }
            guard stamp?.isSymbolicLink == true, let target = Self.target(ofLink: place), links < Self.mostLinks else {
                return
            }
            links += 1
            if target.hasPrefix("/") { directory = "/" }
            rest += Self.names(target)
        }
    }

    /// Indicates whether the kubelet has mounted the file: it puts whole directories in place, by this link.
    package var isMountedByKubelet: Bool { entries.contains { $0.name == "..data" } }

    /// The names of a path, the last one first.
    private static func names(_ path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.map { String($0) }.reversed()
    }

    /// The text of a link; nil where there is none.
    package static func target(ofLink path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe readlink(path, $0, buffer.count) } ?? -1
        }
        return count > 0 ? String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
