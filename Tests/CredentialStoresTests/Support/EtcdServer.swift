import CredentialStores
import Foundation
import TestSupport

/// A server of etcd, Debian's `etcd-server`, that ends with its last user, and whatever happens with the test's process.
final class EtcdServer: Sendable {
    static let program = "/usr/bin/etcd"
    /// Becomes a server, which is killed when the other end of standard input is closed; then what it wrote is removed.
    private static let script = """
        exec 3<&0
        { read _ <&3; kill -KILL $$; rm -rf "$3"; rmdir "${3%/*}"; } >/dev/null 2>&1 &
        exec "$@" </dev/null 3<&-
        """

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// One for all tests that do not stop it; each has a prefix of its own.
    static let shared = Task { try await EtcdServer() }

    let endpoint: EtcdEndpoint
    private let directory: TestDirectory
    private let process: Process
    /// etcd runs until its end is closed.
    private let life: Pipe

    struct NotStarted: Error {
        let log: String
    }

    /// Returns when it answers.
    init() async throws {
        directory = try TestDirectory()
        var log = ""
        // Between the look for a free port and its use somebody else may take it.
        for _ in 0..<10 {
            let ports = [try Self.freePort(), try Self.freePort()]
            let (process, life, output) = try Self.start(ports, in: directory)
            var text = ""
            for await part in Self.parts(of: output) {
                text += part
                guard text.contains("ready to serve client requests") else { continue }
                self.process = process
                self.life = life
                endpoint = EtcdEndpoint(isSecure: false, host: "127.0.0.1", port: ports[0])
                return
            }
            log += text
            try? life.fileHandleForWriting.close()
            process.waitUntilExit()
        }
        throw NotStarted(log: log)
    }

    deinit {
        try? life.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// What a process writes. It is read to the end whether it is of use or not: nothing must wait for that.
    private static func parts(of output: Pipe) -> AsyncStream<String> {
        AsyncStream { continuation in
            output.fileHandleForReading.readabilityHandler = { handle in
                let data = handle.availableData
                if data.isEmpty {
                    handle.readabilityHandler = nil
                    continuation.finish()
                } else {
                    continuation.yield(String(decoding: data, as: UTF8.self))
                }
            }
        }
    }

    private static func start(_ ports: [Int], in directory: TestDirectory) throws -> (Process, Pipe, Pipe) {
        let process = Process()
        let life = Pipe()
        let output = Pipe()
        let urls = ports.map { "http://127.0.0.1:\($0)" }
        let arguments = [
            "--data-dir", directory("etcd-\(ports[0])"), "--unsafe-no-fsync",
            "--listen-client-urls", urls[0], "--advertise-client-urls", urls[0],
            "--listen-peer-urls", urls[1], "--initial-advertise-peer-urls", urls[1],
            "--initial-cluster", "default=\(urls[1])",
        ]
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script, "sh", program] + arguments
        process.standardInput = life
        process.standardOutput = output
        process.standardError = output
        try process.run()
        return (process, life, output)
    }

    /// Returns a port of the loopback address that nobody listens at.
    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 ? getsockname(descriptor, pointer, &length) : -1
            }
        }
        guard result == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
