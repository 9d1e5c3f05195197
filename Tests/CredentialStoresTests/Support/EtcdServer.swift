import CredentialStores
import Foundation
import FoundationNetworking
import Settings
import Synchronization
import Testing
import TestSupport

/// A server of etcd, Debian's `etcd-server`, that ends with its last user, and whatever happens with the test's
/// process.
final class EtcdServer: Sendable {
    static let program = "/usr/bin/etcd"
    /// Becomes a server, which is killed when it is told to keep what it wrote, or when the other end of standard input
    /// is closed; then what it wrote is removed.
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

    /// Runs something with a client of the one for all tests.
    ///
    /// - Parameter others: Servers that are tried before it.
    static func withSharedClient(
        after others: [EtcdEndpoint] = [],
        _ body: (EtcdClient) async throws -> Void
    ) async throws {
        try await EtcdClient.with(others + [shared.value.endpoint], body)
    }

    /// The place of a server among those of its cluster, which is its own as long as it lives.
    struct Place: Sendable {
        let name: String
        let clientPort: HeldPort
        let peerPort: HeldPort

        init(name: String) throws {
            self.name = name
            clientPort = try HeldPort()
            peerPort = try HeldPort()
        }

        var peerURL: String { "http://127.0.0.1:\(peerPort.number)" }
    }

    private struct Running {
        let process: Process
        /// etcd runs until its end is closed.
        let life: Pipe
    }

    let endpoint: EtcdEndpoint
    /// The path of the directory that it keeps its data in.
    let data: String
    private let place: Place
    private let arguments: [String]
    private let directory: TestDirectory
    private let running = Mutex<Running?>(nil)

    struct NotStarted: Error {
        let log: String
    }

    /// One that is not started yet.
    init(_ place: Place, of cluster: [Place]) throws {
        self.place = place
        directory = try TestDirectory()
        endpoint = EtcdEndpoint(port: place.clientPort.number)
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

    /// Returns the output of a process. It is read to the end, of use or not, so that the process never waits for it.
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
