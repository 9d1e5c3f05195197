import Files
import Glibc
import NIOPosix
import SystemPackage

/// The lines that are typed.
enum StandardInputLines {
    private static let longestLine = 16_384

    /// Reads until standard input ends; nothing, where this process may not (it runs in the background of a terminal,
    /// and would be stopped).
    static func read() -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream<String>.makeStream()
        let isForeground = isatty(STDIN_FILENO) == 0 || tcgetpgrp(STDIN_FILENO) == getpgrp()
        guard isForeground else {
            continuation.finish()
            return lines
        }
        // A thread of its own, which nothing waits for: there is no way to end a read(2) that waits for a person.
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        thread.submit { _ in
            readLines { continuation.yield($0) }
            continuation.finish()
        }
        return lines
    }

    private static func readLines(_ take: (String) -> Void) {
        var line: [UInt8] = []
        while let bytes = try? FileDescriptor.standardInput.readPiece() {
            for byte in bytes {
                if byte == UInt8(ascii: "\n") {
                    take(String(decoding: line, as: UTF8.self))
                    line.removeAll()
                } else if line.count < longestLine {
                    line.append(byte)
                }
            }
        }
        if !line.isEmpty { take(String(decoding: line, as: UTF8.self)) }
    }
}
