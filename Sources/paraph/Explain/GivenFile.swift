import Files
import SystemPackage

/// A file that a command is told to read.
enum GivenFile {
    /// All bytes of it.
    static func read(_ path: String) async throws(SecretSourceError) -> [UInt8] {
        try await BlockingWork.run { () throws(SecretSourceError) -> [UInt8] in try read(path) }
    }

    /// The same for a command that is not on the concurrency pool.
    static func read(_ path: String) throws(SecretSourceError) -> [UInt8] {
        do throws(Errno) {
            return try FileContents.read(path)
        } catch {
            throw .fileNotReadable(path, reason: error.reason)
        }
    }

    /// `text` itself, or what standard input has in place of `-`: for what should not stand in the list of processes.
    static func textOrInput(_ text: String) async throws(SecretSourceError) -> String {
        if text != "-" { return text }
        do throws(Errno) {
            let bytes = try await BlockingWork.run { () throws(Errno) in try FileDescriptor.standardInput.readAll() }
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            throw .fileNotReadable("standard input", reason: error.reason)
        }
    }
}
