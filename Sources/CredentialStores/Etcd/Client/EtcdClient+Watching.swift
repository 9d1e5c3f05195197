import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1

// MARK: - Watching

extension EtcdClient {
    /// The time after which a server that is watched at is asked again whether it is one of those that go on.
    private static let probePeriod = Duration.milliseconds(300)

    /// The reason why a watch has ended.
    enum WatchEnd: Error {
        /// The server has ended it, or is cut off from the others: another one may go on.
        case server
        /// What happened since the revision to begin with is not known any more.
        case compacted
    }

    /// Watches at one server: its results in their order, until it fails with ``WatchEnd``.
    ///
    /// A server that has stopped, or is cut off from the others, would tell nothing and would not be noticed. So it is
    /// asked for a key all the time, which it can answer only with the others' agreement.
    func watch(_ watch: EtcdWatch) -> AsyncThrowingStream<EtcdWatch.Result, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                let (index, endpoint) = current
                var end = WatchEnd.server
                do {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { try await self.read(watch, at: endpoint, into: continuation) }
                        group.addTask { try await self.probe(endpoint, watch.key) }
                        defer { group.cancelAll() }
                        try await group.next()
                    }
                } catch let error as WatchEnd {
                    end = error
                } catch {}
                if case .server = end, !Task.isCancelled { moveOn(from: index) }
                continuation.finish(throwing: end)
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func read(
        _ watch: EtcdWatch,
        at endpoint: EtcdEndpoint,
        into continuation: AsyncThrowingStream<EtcdWatch.Result, any Error>.Continuation
    ) async throws {
        let token = try await token(from: endpoint)
        let response = try await http.execute(
            request(try JSONEncoder().encode(watch), EtcdWatch.path, endpoint, token),
            deadline: .distantFuture
        )
        guard response.status.code == 200 else {
            if let token { forget(token) }
            throw WatchEnd.server
        }
        var lines = ByteBuffer()
        for try await part in response.body {
            lines.writeImmutableBuffer(part)
            while let end = lines.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
                let count = end - lines.readerIndex
                let line = Data(lines.readBytes(length: count) ?? [])
                lines.moveReaderIndex(forwardBy: 1)
                guard let result = try JSONDecoder().decode(EtcdWatch.Response.self, from: line).result else {
                    throw WatchEnd.server
                }
                guard result.compactRevision == nil else { throw WatchEnd.compacted }
                guard result.canceled != true else {
                    // A token that is over is told in this way, and in several words.
                    if let token { forget(token) }
                    throw WatchEnd.server
                }
                continuation.yield(result)
            }
            lines.discardReadBytes()
            guard lines.readableBytes <= Self.answerLimit else { throw WatchEnd.server }
        }
    }

    /// Goes on until the server does not answer, or is cut off from the others.
    /// - Parameter key: One that the user may read.
    private func probe(_ endpoint: EtcdEndpoint, _ key: EtcdBytes) async throws {
        let body = try JSONEncoder().encode(EtcdRange(key: key))
        while true {
            try await Task.sleep(for: Self.probePeriod)
            let _: EtcdRange.Response = try await send(body, to: EtcdRange.path, at: endpoint)
        }
    }
}
