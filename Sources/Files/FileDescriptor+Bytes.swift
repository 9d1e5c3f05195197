import Glibc
package import SystemPackage

extension FileDescriptor {
    private static let pieceSize = 64 * 1024

    /// All bytes from here to the end. What they were read into is wiped.
    ///
    /// - Throws: `Errno.fileTooLarge` when there are more than `limit`.
    package func readAll(limit: Int = .max) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: Self.pieceSize)
        defer {
            unsafe piece.withUnsafeMutableBytes { buffer in
                if let start = buffer.baseAddress { unsafe explicit_bzero(start, buffer.count) }
            }
        }
        while case let count = try read(into: &piece), count > 0 {
            bytes += piece[..<count]
            guard bytes.count <= limit else { throw .fileTooLarge }
        }
        return bytes
    }

    /// The next bytes, nil at the end.
    package func readPiece() throws(Errno) -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: Self.pieceSize)
        let count = try read(into: &piece)
        return count > 0 ? Array(piece[..<count]) : nil
    }

    private func read(into bytes: inout [UInt8]) throws(Errno) -> Int {
        do {
            return unsafe try bytes.withUnsafeMutableBytes { unsafe try read(into: $0) }
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    package func write(all bytes: [UInt8]) throws(Errno) {
        do {
            try writeAll(bytes)
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    /// Writes bytes as far as it can. A pipe or a terminal that does not block is waited for: whoever shares it may
    /// have set that (O_NONBLOCK is the open file's, not the process's).
    ///
    /// - Returns: The number of bytes that were written, and the error that kept the others from it.
    package func write(_ bytes: Span<UInt8>) -> (count: Int, error: Errno?) {
        var count = 0
        while count < bytes.count {
            do {
                let written = unsafe try bytes.extracting(count...).withUnsafeBytes { unsafe try write($0) }
                guard written > 0 else { return (count, .ioError) }
                count += written
            } catch {
                let error = error as? Errno ?? .ioError
                guard error == .wouldBlock else { return (count, error) }
                if let error = waitForRoom() { return (count, error) }
            }
        }
        return (count, nil)
    }

    /// - Returns: The error that keeps it from being waited for.
    private func waitForRoom() -> Errno? {
        var entry = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        while unsafe poll(&entry, 1, -1) < 0 {
            guard errno == EINTR else { return .last }
        }
        return nil
    }
}
