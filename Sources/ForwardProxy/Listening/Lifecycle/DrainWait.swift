import NIOCore

/// The wait for the requests that are in flight when the proxy begins to stop.
struct DrainWait: Sendable {
    enum End {
        case drained
        case timeIsOver
        case cutShort
    }

    private let cuts: AsyncStream<Void>
    private let cut: AsyncStream<Void>.Continuation

    init() {
        (cuts, cut) = AsyncStream.makeStream()
    }

    /// Ends the wait, now or once it begins.
    func cutShort() {
        cut.yield()
    }

    /// Returns when there is no connection of a client any more, or the wait is to end all the same.
    ///
    /// - Parameter limit: The time that it may take.
    func untilEnd(
        of connections: ConnectionCounter,
        within limit: TimeAmount,
        clock: any ProxyClock,
        on loop: any EventLoop
    ) async -> End {
        let (times, newTime) = AsyncStream<Void>.makeStream()
        let timer = try? await loop.submit {
            clock.schedule(in: limit, on: loop) { newTime.yield() }
        }.get()
        defer { timer?.cancel() }
        return await withTaskGroup(of: End.self) { tasks in
            tasks.addTask {
                await connections.untilZero()
                return .drained
            }
            tasks.addTask {
                for await _ in times { break }
                return .timeIsOver
            }
            tasks.addTask { [cuts] in
                for await _ in cuts { break }
                return .cutShort
            }
            let first = await tasks.next() ?? .drained
            tasks.cancelAll()
            return first
        }
    }
}
