import NIOCore
import NIOPosix

/// The look-ups of names that one event loop has under way. No answer is kept: a new connection resolves its name anew.
///
/// The resolver blocks a thread for each look-up, for many seconds if a name server does not answer. There are as many
/// threads as the pool has; when all of them wait for slow names, further ones wait in line, up to the time limit of
/// their connections. Of one name, however often it is asked for, there is one look-up at a time.
final class NameLookups {
    private struct Key: Hashable {
        var host: String
        var port: Int
    }

    typealias Resolve = @Sendable (_ host: String, _ port: Int) -> [SocketAddress]

    private let loop: any EventLoop
    private let clock: any ProxyClock
    private let threads: NIOThreadPool
    private let resolve: Resolve
    private var underWay: [Key: NameLookup] = [:]

    /// - Parameters:
    ///   - threads: where the look-ups block; not the pool that anything else waits for.
    ///   - resolve: what asks the resolver.
    init(
        loop: any EventLoop,
        clock: any ProxyClock,
        threads: NIOThreadPool,
        resolve: @escaping Resolve = SystemAddresses.of(_:port:)
    ) {
        self.loop = loop
        self.clock = clock
        self.threads = threads
        self.resolve = resolve
    }

    /// The addresses of a name, in the resolver's order (RFC 6724).
    ///
    /// - Parameter limit: how long the answer is waited for; one that comes later is of no consequence.
    /// - Returns: fails with ``UpstreamFailure``.
    func addresses(of host: String, port: Int, limit: TimeAmount) -> EventLoopFuture<[SocketAddress]> {
        let key = Key(host: host, port: port)
        let lookup = joined(key) ?? begin(key)
        let promise = loop.makePromise(of: [SocketAddress].self)
        let timer = clock.schedule(in: limit, on: loop) {
            lookup.leave()
            promise.fail(UpstreamFailure.nameLookupTimeout(host: host))
        }
        lookup.addresses.assumeIsolated().whenComplete { result in
            timer.cancel()
            switch result {
            case .success(let addresses) where !addresses.isEmpty: promise.succeed(addresses)
            case .success: promise.fail(UpstreamFailure.nameNotResolved(host: host))
            case .failure(let error): promise.fail(error)
            }
        }
        return promise.futureResult
    }

    private func joined(_ key: Key) -> NameLookup? {
        guard let lookup = underWay[key], lookup.join() else { return nil }
        return lookup
    }

    private func begin(_ key: Key) -> NameLookup {
        let promise = loop.makePromise(of: [SocketAddress].self)
        let lookup = NameLookup(promise.futureResult)
        underWay[key] = lookup
        threads.submit { [resolve] state in
            let isWanted = lookup.take() && state == .active
            promise.succeed(isWanted ? resolve(key.host, key.port) : [])
        }
        promise.futureResult.assumeIsolated().whenComplete { [weak self] _ in
            guard let self, underWay[key] === lookup else { return }
            underWay[key] = nil
        }
        return lookup
    }
}

@available(*, unavailable)
extension NameLookups: Sendable {}
