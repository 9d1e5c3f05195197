import NIOCore
import NIOPosix
import Settings
import Synchronization

/// Looks names up on threads of its own, for all event loops. Only carries out what ``NameLookupQueue`` says.
final class NameLookups: Sendable {
    typealias Resolve = @Sendable (_ host: String, _ port: Int) -> [SocketAddress]
    private typealias Name = NameLookupQueue.Name

    /// An answer that is on its way.
    struct Pending {
        /// The addresses, in the resolver's order (RFC 6724), not empty. Fails with ``UpstreamFailure``.
        let addresses: EventLoopFuture<[SocketAddress]>
        /// Gives the look-up up, as far as it is this waiter's; nil when the answer was known.
        let giveUp: (@Sendable () -> Void)?
    }

    private struct State {
        var queue: NameLookupQueue
        var promises: [NameLookupQueue.Waiter: EventLoopPromise<[SocketAddress]>] = [:]
    }

    private let clock: any ProxyClock
    private let threads: NIOThreadPool
    private let resolve: Resolve
    private let state: Mutex<State>

    /// - Parameters:
    ///   - threads: The threads that the look-ups block.
    ///   - count: The number of these threads.
    ///   - lineLimit: The number of look-ups that may wait for one, for clients.
    ///   - resolve: Asks the resolver.
    init(
        clock: any ProxyClock,
        threads: NIOThreadPool,
        count: Int,
        lineLimit: Int = ProxyLimits.usualLookupsInLine,
        resolve: @escaping Resolve
    ) {
        self.clock = clock
        self.threads = threads
        self.resolve = resolve
        state = Mutex(State(queue: NameLookupQueue(threads: count, lineLimit: lineLimit)))
    }

    /// Threads are made, and block, when ``start()`` has been called.
    convenience init(
        clock: any ProxyClock,
        count: Int,
        lineLimit: Int = ProxyLimits.usualLookupsInLine,
        resolve: @escaping Resolve
    ) {
        let threads = NIOThreadPool(numberOfThreads: count)
        self.init(clock: clock, threads: threads, count: count, lineLimit: lineLimit, resolve: resolve)
    }

    func start() {
        threads.start()
    }

    /// Threads that the resolver blocks are not waited for: it may take half a minute.
    func shutdown() {
        threads.shutdownGracefully { _ in }
    }

    /// The addresses of a name.
    ///
    /// - Parameters:
    ///   - holder: The one whom the look-up is counted for.
    ///   - limit: The time for which the answer is waited for.
    ///   - loop: The caller's event loop.
    func addresses(
        of host: String,
        port: Int,
        for holder: NameLookupHolder,
        limit: TimeAmount,
        on loop: any EventLoop
    ) -> Pending {
        let name = Name(host: host, port: port)
        let promise = loop.makePromise(of: [SocketAddress].self)
        let answer = state.withLock { state in
            let answer = state.queue.ask(name, for: holder, at: clock.now, limit: limit)
            if case .wait(let waiter, _) = answer { state.promises[waiter] = promise }
            return answer
        }
        switch answer {
        case .known(let addresses): Self.complete(promise, with: addresses, of: host)
        case .overdue: promise.fail(UpstreamFailure.nameLookupTimeout(host: host))
        case .lineIsFull: promise.fail(UpstreamFailure.tooManyNameLookups(host: host))
        case .wait(let waiter, let deadline):
            let timer = clock.schedule(at: deadline, on: loop) {
                self.leave(waiter, name, failing: .nameLookupTimeout(host: host))
            }
            promise.futureResult.assumeIsolated().whenComplete { _ in timer.cancel() }
            runNext()
            return Pending(addresses: promise.futureResult) { self.leave(waiter, name, failing: .closed) }
        }
        return Pending(addresses: promise.futureResult, giveUp: nil)
    }

    /// Moves a look-up that is in line to the line of `holder` where that is shorter. Asks for nothing.
    func join(_ host: String, port: Int, for holder: NameLookupHolder) {
        state.withLock { $0.queue.move(Name(host: host, port: port), to: holder) }
        runNext()
    }

    /// The number of those that wait for an answer; for tests.
    var waiterCount: Int { state.withLock { $0.promises.count } }

    /// Forgets the addresses of a name: the next connection looks it up anew.
    func forget(_ host: String, port: Int) {
        state.withLock { $0.queue.forget(Name(host: host, port: port)) }
    }

    private func leave(_ waiter: NameLookupQueue.Waiter, _ name: Name, failing failure: UpstreamFailure) {
        let promise = state.withLock { state in
            state.queue.leave(waiter, name) ? state.promises.removeValue(forKey: waiter) : nil
        }
        promise?.fail(failure)
    }

    private func runNext() {
        while let name = state.withLock({ $0.queue.next(at: clock.now) }) {
            threads.submit { [resolve] state in
                self.answered(name, state == .active ? resolve(name.host, name.port) : [])
            }
        }
    }

    private func answered(_ name: Name, _ addresses: [SocketAddress]) {
        let promises = state.withLock { state in
            state.queue.answered(name, addresses, at: clock.now).compactMap { state.promises.removeValue(forKey: $0) }
        }
        for promise in promises { Self.complete(promise, with: addresses, of: name.host) }
        runNext()
    }

    private static func complete(
        _ promise: EventLoopPromise<[SocketAddress]>,
        with addresses: [SocketAddress],
        of host: String
    ) {
        if addresses.isEmpty {
            promise.fail(UpstreamFailure.nameNotResolved(host: host))
        } else {
            promise.succeed(addresses)
        }
    }
}
