import NIOCore

/// The order in which, and the times at which, the addresses of one name are tried, until one accepts (RFC 8305,
/// sections 4 and 5).
///
/// An address that has not answered after a while is joined by the next one, and all of them go on until the first has
/// connected; one that refuses is followed by the next at once.
struct ConnectionRace {
    private enum State {
        case running(untried: ArraySlice<SocketAddress>, pending: [SocketAddress])
        /// One has accepted, or none will.
        case over
    }

    enum Step: Equatable {
        /// Begin an attempt. After ``delay`` from then, ``delayElapsed()`` is to be called.
        case attempt(SocketAddress)
        case wait
        /// Every address has failed.
        case giveUp
    }

    /// RFC 8305, section 8: the recommended Connection Attempt Delay, and the least that it may ever be.
    static let usualDelay = TimeAmount.milliseconds(250)
    static let leastDelay = TimeAmount.milliseconds(10)
    /// Further addresses of a name are not tried: each attempt holds a descriptor.
    static let maximumAddresses = 64

    /// The time from the begin of an attempt until the next one joins it: short enough for each address to have its
    /// turn.
    let delay: TimeAmount
    private var state: State

    /// - Parameters:
    ///   - addresses: The addresses, in the order in which they are to be tried.
    ///   - limit: The time that there is for all of them.
    init(_ addresses: [SocketAddress], limit: TimeAmount) {
        let untried = addresses.prefix(Self.maximumAddresses)
        state = .running(untried: untried, pending: [])
        let share = TimeAmount.nanoseconds(limit.nanoseconds / Int64(untried.count + 1))
        delay = max(Self.leastDelay, min(Self.usualDelay, share))
    }

    mutating func start() -> Step { next() }

    /// The attempt that began last has not come to an end in time.
    mutating func delayElapsed() -> Step { next() }

    mutating func failed(_ address: SocketAddress) -> Step {
        if case .running(let untried, let pending) = state {
            state = .running(untried: untried, pending: pending.filter { $0 != address })
        }
        return next()
    }

    enum SuccessAction: Equatable {
        /// - Parameter overtaken: The addresses that were begun with earlier and have not answered.
        case take(overtaken: [SocketAddress])
        /// The race was over.
        case close
    }

    mutating func succeeded(_ address: SocketAddress) -> SuccessAction {
        guard case .running(_, let pending) = state else { return .close }
        state = .over
        return .take(overtaken: Array(pending.prefix { $0 != address }))
    }

    enum TimeoutAction: Equatable {
        /// - Parameter pending: The addresses that have not answered.
        case giveUp(pending: [SocketAddress])
        case none
    }

    /// The time that there is for all of them is over.
    mutating func timedOut() -> TimeoutAction {
        guard case .running(_, let pending) = state else { return .none }
        state = .over
        return .giveUp(pending: pending)
    }

    /// No address is wanted any more.
    mutating func abandon() {
        state = .over
    }

    var isOver: Bool {
        if case .over = state { true } else { false }
    }

    /// The addresses that have been begun with and have not answered.
    var pending: [SocketAddress] {
        if case .running(_, let pending) = state { pending } else { [] }
    }

    /// Indicates whether the delay has anything to end in.
    var isRunningOut: Bool {
        if case .running(let untried, _) = state { untried.isEmpty } else { true }
    }

    private mutating func next() -> Step {
        guard case .running(var untried, let pending) = state else { return .wait }
        if let address = untried.popFirst() {
            state = .running(untried: untried, pending: pending + [address])
            return .attempt(address)
        }
        guard pending.isEmpty else { return .wait }
        state = .over
        return .giveUp
    }

    /// Addresses in the order in which they are to be tried: that of the resolver (RFC 6724), with the two families in
    /// turn, so that one that does not work here delays no more than one attempt (RFC 8305, section 4).
    static func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
        guard let preferred = addresses.first?.protocol else { return [] }
        var seen: Set<SocketAddress> = []
        let different = addresses.filter { seen.insert($0).inserted }
        var first = different.filter { $0.protocol == preferred }[...]
        var second = different.filter { $0.protocol != preferred }[...]
        var ordered: [SocketAddress] = []
        while true {
            let pair = [first.popFirst(), second.popFirst()].compactMap { $0 }
            if pair.isEmpty { return ordered }
            ordered += pair
        }
    }
}
