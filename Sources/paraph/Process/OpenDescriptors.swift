import Glibc

/// The open files of this process.
enum OpenDescriptors {
    /// Those above the standard streams.
    static func all() -> Set<Int32> {
        guard let directory = opendir("/proc/self/fd") else { return [] }
        defer { closedir(directory) }
        var found: Set<Int32> = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let descriptor = Int32(name), descriptor > STDERR_FILENO, descriptor != dirfd(directory) else {
                continue
            }
            found.insert(descriptor)
        }
        return found
    }

    /// Those of them that live through execve(2).
    static func inheritable() -> Set<Int32> {
        all().filter {
            let flags = fcntl($0, F_GETFD)
            return flags >= 0 && flags & FD_CLOEXEC == 0
        }
    }
}
