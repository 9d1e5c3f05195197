import Synchronization

/// A provider that answers every request on every connection at once, as the test says, and counts.
final class ScriptedProvider: Sendable {
    /// The answer to a request: status line, fields and body.
    typealias Answer = @Sendable (Message, _ count: Int) async -> String

    let upstream: ScriptedUpstream
    private let counts = Mutex<[String: Int]>([:])
    private let changes = Inbox()

    private init(_ upstream: ScriptedUpstream) {
        self.upstream = upstream
    }

    /// Requests that came for a path, the query aside.
    func count(_ path: String) -> Int { counts.withLock { $0[path] ?? 0 } }

    /// Waits until so many requests have come for a path.
    func received(_ expected: Int, at path: String) async throws {
        _ = try await changes.wait { _ in count(path) >= expected ? true : nil }
    }

    /// Runs a provider for the length of `body`.
    ///
    /// - Parameter isSecure: Whether it speaks TLS, as the API whose root is trusted.
    static func with(
        isSecure: Bool = false,
        answer: @escaping Answer,
        _ body: (ScriptedProvider) async throws -> Void
    ) async throws {
        let identity = isSecure ? try ServerIdentity(ServerIdentity.shared.get()) : nil
        let provider = ScriptedProvider(try await ScriptedUpstream.start(identity: identity))
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
            changes.update { $0.total += 1 }
            try? await wire.send(await answer(request, count))
        }
        await wire.close()
    }

    static func answer(_ status: String, _ body: String = "", fields: String = "") -> String {
        "HTTP/1.1 \(status)\nContent-Length: \(body.utf8.count)\n\(fields)\n\(body)"
    }
}
