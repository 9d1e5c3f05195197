import NIOCore

/// The time that each phase of making an upstream connection took. Through another proxy, the name and TCP are those of
/// that proxy, and its answer to CONNECT counts as TCP.
struct ConnectTimes: Equatable {
    var name: TimeAmount
    var tcp: TimeAmount
    /// Nil without TLS.
    var tls: TimeAmount?
}

/// Measures the phases of making one upstream connection, which come in the order of its methods.
final class ConnectStopwatch {
    private let clock: any ProxyClock
    private var last: NIODeadline
    private(set) var times = ConnectTimes(name: .zero, tcp: .zero, tls: nil)

    init(clock: any ProxyClock) {
        self.clock = clock
        last = clock.now
    }

    func nameResolved() { times.name = lap() }
    func connected() { times.tcp = lap() }
    func secured() { times.tls = lap() }

    private func lap() -> TimeAmount {
        let now = clock.now
        defer { last = now }
        return now - last
    }
}

@available(*, unavailable)
extension ConnectStopwatch: Sendable {}
