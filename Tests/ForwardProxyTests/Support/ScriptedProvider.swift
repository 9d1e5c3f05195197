import Synchronization

/// A provider that answers every request on every connection at once, as the test says, and counts.
final class ScriptedProvider: Sendable {
    /// What a request is answered with: status line, fields and body.
    typealias Answer = @Sendable (Message, _ count: Int) -> String

    let upstream: ScriptedUpstream
    private let counts = Mutex<[String: Int]>([:])

    private init(_ upstream: ScriptedUpstream) {
        self.upstream = upstream
    }

    /// Requests that came for a path, the query aside.
    func count(_ path: String) -> Int { counts.withLock { $0[path] ?? 0 } }

    /// Runs a provider for the length of `body`.
    static func with(answer: @escaping Answer, _ body: (ScriptedProvider) async throws -> Void) async throws {
        let provider = ScriptedProvider(try await ScriptedUpstream.start())
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                await withDiscardingTaskGroup { connections in
                    while let wire = try? await provider.upstream.accept() {
                        connections.addTask { await provider.serve(wire, answer) }
                    }
                }
            }
            try await body(provider)
            tasks.cancelAll()
        }
        await provider.upstream.stop()
    }

    private func serve(_ wire: Wire, _ answer: Answer) async {
        while let request = try? await wire.message() {
            let path = String(request.target.prefix { $0 != "?" })
            let count = counts.withLock { counts in
                counts[path, default: 0] += 1
                return counts[path] ?? 0
            }
            try? await wire.send(answer(request, count))
        }
        await wire.close()
    }

    static func answer(_ status: String, _ body: String = "", fields: String = "") -> String {
        "HTTP/1.1 \(status)\nContent-Length: \(body.utf8.count)\n\(fields)\n\(body)"
    }
}
