import NIOCore

/// The time that each phase of making an upstream connection took; nil: it was not come to. Through another proxy, the
/// name and TCP are those of that proxy, and its answer to CONNECT counts as TCP.
///
/// Where the connection failed, the last phase is the one that it failed in.
struct ConnectTimes: Equatable {
    var name: TimeAmount?
    var tcp: TimeAmount?
    /// The time of the TLS handshake; nil without one.
    var tls: TimeAmount?
}

/// Measures the phases of making one upstream connection, which come in the order of its methods.
final class ConnectStopwatch {
    private let clock: any ProxyClock
    private var last: NIODeadline
    private(set) var times = ConnectTimes()

    init(clock: any ProxyClock) {
        self.clock = clock
        last = clock.now
    }

    func nameResolved() { times.name = lap() }
    func connected() { times.tcp = lap() }
    func secured() { times.tls = lap() }

    /// There is no connection.
    func failed() {
        if times.name == nil { nameResolved() } else { connected() }
    }

    private func lap() -> TimeAmount {
        let now = clock.now
        defer { last = now }
        return now - last
    }
}

@available(*, unavailable)
extension ConnectStopwatch: Sendable {}
