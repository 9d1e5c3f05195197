import NIOCore
import NIOPosix

/// Connects to the first of a name's addresses that accepts: carries out one ``ConnectionRace``.
///
/// It is kept alive by the attempts that are under way, and over when one has succeeded, all have failed, or the
/// deadline has passed; what is still connecting is closed then.
final class AddressConnector {
    typealias Initializer = @Sendable (any Channel) -> EventLoopFuture<Void>

    private let loop: any EventLoop
    private let host: String
    private let deadline: NIODeadline
    private let clock: any ProxyClock
    private let memory: ConnectionMemory
    private let initializer: Initializer
    private let promise: EventLoopPromise<any Channel>
    private var race: ConnectionRace
    private var channels: [SocketAddress: any Channel] = [:]
    private var failures: [(address: SocketAddress, error: any Error)] = []
    private var timer: Scheduled<Void>?
    private var deadlineTimer: Scheduled<Void>?

    /// - Parameters:
    ///   - host: The host that has the addresses, for the failure.
    ///   - addresses: Those that may be connected to, as the resolver orders them; not empty.
    ///   - deadline: The time at which to give up.
    ///   - initializer: Called for the channel of each attempt.
    init(
        host: String,
        addresses: [SocketAddress],
        deadline: NIODeadline,
        clock: any ProxyClock,
        memory: ConnectionMemory,
        loop: any EventLoop,
        initializer: @escaping Initializer
    ) {
        self.loop = loop
        self.host = host
        self.deadline = deadline
        self.clock = clock
        self.memory = memory
        self.initializer = initializer
        promise = loop.makePromise()
        let now = clock.now
        let order = memory.ordered(ConnectionRace.interleaved(addresses), at: now)
        race = ConnectionRace(order, limit: deadline - now)
    }

    /// The connected channel. Fails with ``UpstreamFailure``.
    func connect() -> EventLoopFuture<any Channel> {
        deadlineTimer = clock.schedule(at: deadline, on: loop) { [self] in deadlinePassed() }
        take(race.start())
        return promise.futureResult
    }

    private func take(_ step: ConnectionRace.Step) {
        switch step {
        case .attempt(let address):
            setTimer()
            attempt(address)
        case .wait: break
        case .giveUp: end(.failure(failure))
        }
    }

    private func setTimer() {
        timer?.cancel()
        timer = nil
        guard !race.isRunningOut else { return }
        timer = clock.schedule(in: race.delay, on: loop) { [self] in
            timer = nil
            take(race.delayElapsed())
        }
    }

    private func attempt(_ address: SocketAddress) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        KeepAlive.probe(madeBy: ClientBootstrap(group: loop))
            // The deadline is this race's business; without one of its own a bootstrap gives up after ten seconds.
            .connectTimeout(.hours(24))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            // What one read brings is taken even where the client takes nothing: it should not be several buffers full.
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { [initializer] channel in
                bound.value.channels[address] = channel
                return initializer(channel)
            }
            .connect(to: address)
            .assumeIsolated()
            .whenComplete { [self] result in ended(address, result) }
    }

    private func ended(_ address: SocketAddress, _ result: Result<any Channel, any Error>) {
        let attempt = channels.removeValue(forKey: address)
        switch result {
        case .success(let channel):
            memory.connected(to: address)
            switch race.succeeded(address) {
            case .take(let overtaken):
                memory.failed(overtaken, at: clock.now)
                end(.success(channel))
            case .close: channel.close(promise: nil)
            }
        case .failure(let error):
            // A channel that was never connected is not always closed by its failure.
            attempt?.close(promise: nil)
            guard !race.isOver else { return }
            if Self.isGivenUp(error) {
                race.abandon()
                return end(.failure(.closed))
            }
            memory.failed([address], at: clock.now)
            failures.append((address, error))
            take(race.failed(address))
        }
    }

    /// Returns whether it was this side that ended the attempt, so that nothing is known of the address.
    private static func isGivenUp(_ error: any Error) -> Bool { error is ChannelError }

    private func deadlinePassed() {
        switch race.timedOut() {
        case .giveUp(let pending):
            memory.failed(pending, at: clock.now)
            end(.failure(pending.isEmpty ? failure : .connectTimeout))
        case .none: break
        }
    }

    private func end(_ result: Result<any Channel, UpstreamFailure>) {
        timer?.cancel()
        timer = nil
        deadlineTimer?.cancel()
        deadlineTimer = nil
        let losers = channels.values
        if case .success(let channel) = result { promise.succeed(channel) }
        for loser in losers { loser.close(promise: nil) }
        if case .failure(let failure) = result { promise.fail(failure) }
    }

    /// The failure that those of all attempts come to.
    private var failure: UpstreamFailure {
        var answers: [(address: SocketAddress, words: String)] = []
        for (address, error) in failures {
            let failure = UpstreamFailure(connecting: error, host: host)
            guard case .refused(let words) = failure else { return failure }
            answers.append((address, words))
        }
        guard let first = answers.first else { return .connectTimeout }
        if answers.count == 1 { return .refused(first.words) }
        let shown = answers.prefix(Self.maximumTold).map { "\($0.address.ipAddress ?? "?"): \($0.words)" }
        let more = answers.count - shown.count
        return .refused(shown.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : ""))
    }

    /// The number of addresses that a failure names.
    private static let maximumTold = 4
}

@available(*, unavailable)
extension AddressConnector: Sendable {}
