import NIOCore
import NIOPosix

/// The look-ups of names that one event loop has under way. No answer is kept: a new connection resolves its name anew.
///
/// The resolver blocks a thread for each look-up, for many seconds if a name server does not answer. There are as many
/// threads as the pool has; when all of them wait for slow names, further ones wait in line, up to the time limit of
/// their connections. Of one name, however often it is asked for, there is one look-up at a time.
///
/// The resolver answers when it knows both kinds of addresses. Name servers that never answer for IPv6 are not rare, so
/// that IPv4 addresses alone are asked for as well when that takes long, and at once while it still does (RFC 8305,
/// section 3, does without the missing answer too).
final class NameLookups {
    private struct Key: Hashable {
        var host: String
        var port: Int
    }

    typealias Resolve = @Sendable (_ host: String, _ port: Int, _ family: AddressFamily) -> [SocketAddress]

    /// How long the resolver may take before it is asked for IPv4 addresses alone.
    static let patience = TimeAmount.milliseconds(300)

    private let loop: any EventLoop
    private let threads: NIOThreadPool
    private let resolve: Resolve
    private let patience: TimeAmount
    private var underWay: [Key: NameLookup] = [:]
    /// Names of which the resolver does not find both kinds of addresses in time.
    private var slow: Set<Key> = []

    /// - Parameters:
    ///   - threads: where the look-ups block; not the pool that anything else waits for.
    ///   - resolve: what asks the resolver.
    init(
        loop: any EventLoop,
        threads: NIOThreadPool,
        patience: TimeAmount = NameLookups.patience,
        resolve: @escaping Resolve = SystemAddresses.of(_:port:family:)
    ) {
        self.loop = loop
        self.threads = threads
        self.patience = patience
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
        let timer = loop.assumeIsolated().scheduleTask(in: limit) {
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
        let answers = LookupAnswers(promise)
        let isSlow = slow.contains(key)
        let answer = ask(isSlow ? .ipv4 : .any, of: key, for: lookup, answers)
        let timer = isSlow ? nil : waitForBoth(answer, of: key, for: lookup, answers)
        promise.futureResult.assumeIsolated().whenComplete { [weak self] _ in
            timer?.cancel()
            guard let self, underWay[key] === lookup else { return }
            underWay[key] = nil
        }
        return lookup
    }

    private func ask(
        _ family: AddressFamily,
        of key: Key,
        for lookup: NameLookup,
        _ answers: LookupAnswers
    ) -> EventLoopFuture<[SocketAddress]> {
        answers.expectOne()
        let promise = loop.makePromise(of: [SocketAddress].self)
        threads.submit { [resolve] state in
            let isWanted = lookup.take() && state == .active
            promise.succeed(isWanted ? resolve(key.host, key.port, family) : [])
        }
        promise.futureResult.assumeIsolated().whenSuccess { answers.receive($0) }
        return promise.futureResult
    }

    private func waitForBoth(
        _ answer: EventLoopFuture<[SocketAddress]>,
        of key: Key,
        for lookup: NameLookup,
        _ answers: LookupAnswers
    ) -> Scheduled<Void> {
        loop.assumeIsolated().scheduleTask(in: patience) { [self] in
            // One that has no thread yet has not been asked.
            guard !answers.isOver, lookup.isTaken else { return }
            slow.insert(key)
            answer.assumeIsolated().whenComplete { [weak self] _ in self?.slow.remove(key) }
            _ = ask(.ipv4, of: key, for: lookup, answers)
        }
    }
}

@available(*, unavailable)
extension NameLookups: Sendable {}
