import Glibc

/// The bytes of a file, whose size is bounded before it is read.
enum FileContents {
    enum Failure: Error {
        /// Why, in the system's words.
        case unreadable(String)
        case tooLarge
    }

    static func exists(_ path: String) -> Bool {
        isPath(path) && access(path, F_OK) == 0
    }

    /// Its permission bits; `nil` when it is not there.
    static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return isPath(path) && stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        guard isPath(path) else { throw .unreadable(reason(ENOENT)) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(reason(errno)) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        defer { for index in buffer.indices { buffer[index] = 0 } }
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(reason(errno)) }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= limit else { throw .tooLarge }
        }
    }

    /// The system would take what precedes a byte 0 for the path.
    private static func isPath(_ path: String) -> Bool { !path.utf8.contains(0) }

    private static func reason(_ code: Int32) -> String {
        switch code {
        case ENOENT: "there is no such file"
        case EACCES: "permission denied"
        case EISDIR: "it is a directory"
        default: String(cString: strerror(code))
        }
    }
}
