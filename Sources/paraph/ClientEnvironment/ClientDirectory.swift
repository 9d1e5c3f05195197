import Files
import SystemPackage

/// The directory of the files that a ``ClientEnvironment`` names.
struct ClientDirectory {
    struct NotWritten: Error, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String { "\(path) cannot be written: \(reason)" }
    }

    let path: String
    /// The mode of files that are not for their owner alone.
    let mode: UInt32
    /// The mode of files that may hold what is for their owner alone.
    var privateMode: UInt32 = 0o600

    func path(of name: String) -> String { "\(path)/\(name)" }

    /// Makes the directory where it is not there; the one that it is in is the state directory, for its owner alone.
    func make() throws(NotWritten) {
        do throws(Errno) {
            try Directory.create(path: path, mode: 0o755)
        } catch {
            throw NotWritten(path: path, reason: error.reason)
        }
    }

    /// Returns whether the file is there with these bytes. It need not be this program's: others may write into a
    /// directory that they share.
    func holds(_ file: ClientFile) -> Bool {
        let path = path(of: file.name)
        return (try? FileContents.read(path, limit: file.bytes.count, waitsForWriter: false)) == file.bytes
    }

    /// Puts a file in place at once and whole. One that has these bytes already is left alone.
    /// - Returns: Whether it was written.
    @discardableResult
    func write(_ file: ClientFile) throws(NotWritten) -> Bool {
        if holds(file) { return false }
        do throws(Errno) {
            // It can be made again at any time.
            try Directory(path: path)
                .replace(file.name, with: file.bytes.span, mode: file.isPrivate ? privateMode : mode, isSynced: false)
        } catch {
            throw NotWritten(path: path(of: file.name), reason: error.reason)
        }
        return true
    }
}

/// A file that a variable of the environment names.
struct ClientFile: Sendable, Equatable {
    let name: String
    let bytes: [UInt8]
    /// Indicates whether it may hold what is for its owner alone, such as a password of the user's own settings.
    var isPrivate = false
}
