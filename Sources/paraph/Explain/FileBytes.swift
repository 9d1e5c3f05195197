import Glibc

/// Bytes in and out, through the system's own calls: text would not keep them as they are.
enum FileBytes {
    /// All bytes of a file.
    ///
    /// - Parameter waitsForWriter: Whether to wait until somebody opens a FIFO for writing, as `cat` does. Otherwise
    ///   one that nobody writes to is empty.
    static func read(_ path: String, waitsForWriter: Bool = true) throws(SecretSourceError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (waitsForWriter ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { throw .fileNotReadable(path, reason: reason(errno)) }
        defer { close(descriptor) }
        // Only the opening is not to wait.
        if !waitsForWriter { _ = fcntl(descriptor, F_SETFL, 0) }
        do throws(SystemError) {
            return try all(descriptor)
        } catch {
            throw .fileNotReadable(path, reason: reason(error.number))
        }
    }

    /// `text` itself, or what standard input has in place of `-`: for what should not stand in the list of processes.
    static func textOrInput(_ text: String) throws(SecretSourceError) -> String {
        if text != "-" { return text }
        do throws(SystemError) {
            return String(decoding: try all(STDIN_FILENO), as: UTF8.self)
        } catch {
            throw .fileNotReadable("standard input", reason: reason(error.number))
        }
    }

    private static func all(_ descriptor: Int32) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let more = try next(descriptor) { bytes += more }
        return bytes
    }

    /// An error number of the system.
    struct SystemError: Error {
        let number: Int32
    }

    /// The next bytes of an open file, nil at its end.
    static func next(_ descriptor: Int32) throws(SystemError) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { return Array(buffer[..<count]) }
            if count == 0 { return nil }
            if errno != EINTR { throw SystemError(number: errno) }
        }
    }

    /// Writes all bytes to an open file.
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { throw SystemError(number: errno) }
            rest = rest.dropFirst(max(count, 0))
        }
    }

    private static func reason(_ number: Int32) -> String {
        strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }
}
