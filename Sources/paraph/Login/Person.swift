import Files
import Glibc
import NIOPosix
import SystemPackage

/// The person who runs the command, as far as it can tell: a terminal, and perhaps a browser.
struct Person: Sendable {
    /// Shows a paragraph.
    let say: @Sendable (String) -> Void
    /// The lines that are typed; they end with standard input.
    let lines: AsyncStream<String>
    /// Opens an address in a browser, where there is one.
    let open: @Sendable (_ address: String) -> Void
}

/// The desktop's own way to open an address.
struct Browser: Sendable {
    private static let program = "xdg-open"

    private let path: String
    private let environment: [String]

    /// Finds the program that opens addresses; nil where there is none, or no desktop to open anything on.
    init?(environment: [String: String]) {
        let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
        let folders = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        let candidates = folders.map { "\($0)/\(Self.program)" }
        guard hasDesktop, let path = candidates.first(where: { access($0, X_OK) == 0 }) else { return nil }
        self.path = path
        self.environment = environment.map { "\($0)=\($1)" }
    }

    /// Opens the browser without waiting for it: the address is printed as well.
    func open(_ address: String) {
        Task {
            _ = try? await ChildProcess.run(
                path,
                arguments: [address],
                environment: environment,
                output: "/dev/null",
                errors: "/dev/null"
            )
        }
    }
}

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
