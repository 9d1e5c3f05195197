import AsyncHTTPClient
import Bytes
import FoundationEssentials
import NIOCore
import NIOHTTP1
import Settings
import Synchronization

// MARK: - Watching

extension EtcdClient {
    /// The time after which a server that is watched at is asked again whether it is one of those that go on.
    private static let probePeriod = Duration.milliseconds(300)

    /// The reason why a watch has ended.
    enum WatchEnd: Error {
        /// The server has ended it, or is cut off from the others: another one may go on.
        case server(String)
        /// etcd does not permit it.
        case refused(String)
        /// The changes since the revision to begin with cannot be known any more: they were compacted away, or etcd was
        /// restored from a backup that is older.
        case lost
    }

    /// A step of a watch that goes on, one after the other until it fails with ``WatchEnd``.
    enum WatchResult: Sendable {
        /// Nothing that is changed from now on goes untold.
        case begun
        /// One event or more: of each key the last one since the result before.
        case events([EtcdWatch.Event])
    }

    private final class WatchCreation: Sendable {
        let isDone = Mutex(false)
    }

    /// Watches at one server: its results in their order, until it fails with ``WatchEnd``. What is not asked for as it
    /// comes is put together, and comes in larger pieces.
    ///
    /// A server that has stopped, or is cut off from the others, would tell nothing and would not be noticed. So it is
    /// asked for a key all the time, which it can answer only with the others' agreement.
    ///
    /// A watch that begins at a revision which etcd does not have yet tells nothing until it has. That is so when etcd
    /// was restored from a backup, and noticed by the revisions of those answers.
    func watch(_ watch: EtcdWatch) -> WatchResults {
        let backlog = WatchBacklog()
        let task = Task {
            let (index, endpoint) = current
            var end = WatchEnd.server("\(endpoint): it has ended the watch")
            do {
                // Then the user's token is one that the server knows, too: for a watch it would not say so.
                let revision = try await probe(endpoint, watch.key, revision: watch.revisionBefore)
                let creation = WatchCreation()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await self.read(watch, at: endpoint, into: backlog, creation) }
                    group.addTask { try await self.probe(endpoint, watch.key, from: revision, creation) }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            } catch let error as WatchEnd {
                end = error
            } catch let error as ServerFailure {
                let words = "\(endpoint): \(error.words)"
                end = .server(words)
                if case .refusal(let refusal) = error, !refusal.isOfServer { end = .refused(words) }
            } catch {
                end = .server("\(endpoint): \(EtcdErrorWords.describe(error))")
            }
            if case .server = end, !Task.isCancelled { moveOn(from: index) }
            backlog.end(by: end)
        }
        return WatchResults(of: backlog, readBy: task)
    }

    private func read(
        _ watch: EtcdWatch,
        at endpoint: EtcdEndpoint,
        into backlog: WatchBacklog,
        _ creation: WatchCreation
    ) async throws {
        let token = try await token(from: endpoint)
        let response = try await watchingHTTP.execute(
            request(try JSONEncoder().encode(watch), EtcdWatch.path, endpoint, token),
            deadline: .distantFuture
        )
        guard response.status.code == 200 else {
            if let token { forget(token) }
            let answer = try await response.body.collect(upTo: Self.refusalLimit)
            if let refusal = try? JSONDecoder().decode(EtcdRefusal.self, from: Data(answer.readableBytesView)) {
                throw ServerFailure.refusal(refusal)
            }
            let text = String(buffer: answer)
            throw ServerFailure.unreachable(EtcdErrorWords.describe(status: response.status.code, text: text))
        }
        var removals = backlog.removals.makeAsyncIterator()
        var lines = ByteBuffer()
        // Bytes of the line that is not whole yet, in which its end was looked for.
        var searched = 0
        for try await part in response.body {
            lines.writeImmutableBuffer(part)
            while let end = lines.readableBytesView.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n")) {
                searched = 0
                let count = end - lines.readerIndex
                let result = try result(of: Data(lines.readBytes(length: count) ?? []), for: token)
                lines.moveReaderIndex(forwardBy: 1)
                if result.created == true {
                    creation.isDone.withLock { $0 = true }
                    backlog.begin()
                }
                backlog.add(result.events ?? [])
            }
            searched = lines.readableBytes
            while backlog.isFull, await removals.next() != nil {}
            lines.discardReadBytes()
            guard lines.readableBytes <= Self.answerLimit else {
                throw ServerFailure.unreachable("a result that is too long")
            }
        }
    }

    private func result(of line: Data, for token: String?) throws -> EtcdWatch.Result {
        let answer = try JSONDecoder().decode(EtcdWatch.Response.self, from: line)
        guard let result = answer.result else {
            throw ServerFailure.unreachable(condensed(answer.error?.message ?? "it has ended the watch", limit: 300))
        }
        guard result.compactRevision == nil else { throw WatchEnd.lost }
        guard result.canceled != true else {
            // A token that is over is told in this way, and in several words.
            if let token { forget(token) }
            throw ServerFailure.unreachable(condensed(result.cancelReason ?? "it has ended the watch", limit: 300))
        }
        return result
    }

    /// Goes on until the server does not answer, or is cut off from the others, or the watch is not created in time.
    /// - Parameters:
    ///   - key: One that the user may read.
    ///   - revision: One that etcd has.
    private func probe(
        _ endpoint: EtcdEndpoint,
        _ key: EtcdBytes,
        from revision: Int64,
        _ creation: WatchCreation
    ) async throws {
        let latest = ContinuousClock.now + .nanoseconds(timeout.nanoseconds)
        var revision = revision
        while true {
            try await Task.sleep(for: Self.probePeriod)
            revision = try await probe(endpoint, key, revision: revision)
            guard creation.isDone.withLock({ $0 }) || .now < latest else {
                throw ServerFailure.unreachable("no watch in time")
            }
        }
    }

    /// Asks once.
    /// - Returns: The revision that etcd has.
    /// - Throws: ``WatchEnd/lost`` when that is below the one that it had.
    private func probe(_ endpoint: EtcdEndpoint, _ key: EtcdBytes, revision: Int64) async throws -> Int64 {
        let body = try JSONEncoder().encode(EtcdRange(key: key))
        let answer: EtcdRange.Response = try await send(body, to: EtcdRange.path, at: endpoint)
        guard let found = answer.header.revision?.value, found >= revision else { throw WatchEnd.lost }
        return found
    }
}
