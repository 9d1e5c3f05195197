import CredentialStores
import Foundation
import FoundationNetworking
import Synchronization
import Testing
import TestSupport

/// A server of etcd, Debian's `etcd-server`, that ends with its last user, and whatever happens with the test's process.
final class EtcdServer: Sendable {
    static let program = "/usr/bin/etcd"
    /// Becomes a server, which is killed when it is told to keep what it wrote, or when the other end of standard input is
    /// closed; then what it wrote is removed.
    private static let script = """
        exec 3<&0
        {
            read word <&3
            kill -KILL $$
            [ "$word" = keep ] || { rm -rf "$3"; rmdir "${3%/*}"; }
        } >/dev/null 2>&1 &
        exec "$@" </dev/null 3<&-
        """

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// One for all tests that do not stop it; each has a prefix of its own.
    static let shared = Task { try await EtcdCluster(count: 1).servers[0] }

    /// The place of a server among those of its cluster.
    struct Place: Sendable {
        let name: String
        let clientPort: Int
        let peerPort: Int

        init(name: String) throws {
            self.name = name
            clientPort = try Self.freePort()
            peerPort = try Self.freePort()
        }

        var peerURL: String { "http://127.0.0.1:\(peerPort)" }

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

    private struct Running {
        let process: Process
        /// etcd runs until its end is closed.
        let life: Pipe
    }

    let endpoint: EtcdEndpoint
    /// Where it keeps what it is told.
    let data: String
    private let arguments: [String]
    private let directory: TestDirectory
    private let running = Mutex<Running?>(nil)

    struct NotStarted: Error {
        let log: String
    }

    /// One that is not started yet.
    init(_ place: Place, of cluster: [Place]) throws {
        directory = try TestDirectory()
        endpoint = EtcdEndpoint(isSecure: false, host: "127.0.0.1", port: place.clientPort)
        data = directory("etcd")
        arguments = [
            "--data-dir", data, "--name", place.name, "--unsafe-no-fsync",
            "--listen-client-urls", "\(endpoint)", "--advertise-client-urls", "\(endpoint)",
            "--listen-peer-urls", place.peerURL, "--initial-advertise-peer-urls", place.peerURL,
            "--initial-cluster", cluster.map { "\($0.name)=\($0.peerURL)" }.joined(separator: ","),
        ]
    }
    deinit {
        guard let running = running.withLock({ $0 }) else { return }
        try? running.life.fileHandleForWriting.close()
        running.process.waitUntilExit()
    }

    /// Returns when it answers: in a cluster, when most of that have been started.
    func start() async throws {
        let output = try ProcessStart.alone {
            let process = Process()
            let life = Pipe()
            let output = Pipe()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", Self.script, "sh", Self.program] + arguments
            process.standardInput = life
            process.standardOutput = output
            process.standardError = output
            try process.run()
            running.withLock { $0 = Running(process: process, life: life) }
            return output
        }
        var log = ""
        for await part in Self.parts(of: output) {
            log += part
            if log.contains("ready to serve client requests") { return }
        }
        throw NotStarted(log: log)
    }

    /// Ends it as a power failure would. It may be started again, with what it has kept.
    func kill() throws {
        guard let running = running.withLock({ $0.take() }) else { return }
        try running.life.fileHandleForWriting.write(contentsOf: Data("keep\n".utf8))
        running.process.waitUntilExit()
    }

    /// Lets it do nothing, while its connections stay.
    func pause() { signal(SIGSTOP) }

    func resume() { signal(SIGCONT) }

    /// The number of bytes with which it has answered its clients.
    var sentBytes: Int {
        get async throws {
            let name = "etcd_network_client_grpc_sent_bytes_total "
            let url = try #require(URL(string: "\(endpoint)/metrics"))
            let (data, _) = try await URLSession.shared.data(from: url)
            let metrics = String(decoding: data, as: UTF8.self)
            let line = try #require(metrics.split(separator: "\n").first { $0.hasPrefix(name) })
            return Int(try #require(Double(line.dropFirst(name.count))))
        }
    }

    private func signal(_ number: CInt) {
        if let process = running.withLock({ $0?.process }) { _ = Foundation.kill(process.processIdentifier, number) }
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
}
