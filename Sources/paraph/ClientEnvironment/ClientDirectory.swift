import Glibc

/// The directory of the files that a ``ClientEnvironment`` names.
struct ClientDirectory {
    struct NotWritten: Error, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String { "\(path) cannot be written: \(reason)" }
    }

    let path: String
    /// Of files that are not for their owner alone.
    let mode: mode_t

    func path(of name: String) -> String { "\(path)/\(name)" }

    /// Makes the directory where it is not there; the one that it is in is the state directory, for its owner alone.
    func make() throws(NotWritten) {
        if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
        let parent = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        guard errno == ENOENT, mkdir(parent, 0o700) == 0, mkdir(path, 0o755) == 0 else { throw failure(path) }
    }

    func holds(_ file: ClientFile) -> Bool { (try? FileBytes.read(path(of: file.name))) == file.bytes }

    /// Puts a file in place at once and whole. One that has these bytes already is left alone.
    /// - Returns: Whether it was written.
    @discardableResult
    func write(_ file: ClientFile) throws(NotWritten) -> Bool {
        let place = path(of: file.name)
        if holds(file) { return false }
        let mode = file.isPrivate ? 0o600 : mode
        let beside = "\(place).\(getpid())"
        let descriptor = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure(place) }
        defer { close(descriptor) }
        do {
            // The mode of open(2) passes through the umask.
            guard fchmod(descriptor, mode) == 0 else { throw FileBytes.SystemError(number: errno) }
            try FileBytes.write(file.bytes, to: descriptor)
            guard rename(beside, place) == 0 else { throw FileBytes.SystemError(number: errno) }
        } catch {
            defer { unlink(beside) }
            throw failure(place)
        }
        return true
    }

    private func failure(_ place: String) -> NotWritten {
        NotWritten(path: place, reason: strerror(errno).map { String(cString: $0) } ?? "error \(errno)")
    }
}
