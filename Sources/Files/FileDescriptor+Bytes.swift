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
}
