import Files
import SystemPackage

/// The file that log lines go to, open to be written at its end; made, for its owner alone to read, where there is
/// none.
struct LogFile {
    struct NotOpened: Error, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String { "\(path) cannot be written: \(reason)" }
    }

    let path: String
    /// The open file, to be closed by whoever has it.
    let descriptor: Int32

    init(path: String) throws(NotOpened) {
        self.path = path
        do throws(Errno) {
            descriptor = try FileContents.append(to: path).rawValue
        } catch {
            throw NotOpened(path: path, reason: error.reason)
        }
    }

    /// Closes it where it is of no use.
    func close() {
        try? FileDescriptor(rawValue: descriptor).close()
    }

    /// Returns the file that the settings name; nil where they name none.
    static func named(_ path: String?) throws(NotOpened) -> LogFile? {
        guard let path else { return nil }
        return try LogFile(path: path)
    }
}
