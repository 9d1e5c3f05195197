import NIOCore

/// The order in which, and the times at which, the addresses of one name are tried, until one accepts (RFC 8305,
/// sections 4 and 5).
///
/// An address that has not answered after a while is joined by the next one, and all of them go on until the first has
/// connected; one that refuses is followed by the next at once.
struct ConnectionRace {
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
    private var untried: ArraySlice<SocketAddress>
    private(set) var pending: [SocketAddress] = []

    /// - Parameters:
    ///   - addresses: In the order in which they are to be tried.
    ///   - limit: The time that there is for all of them.
    init(_ addresses: [SocketAddress], limit: TimeAmount) {
        untried = addresses.prefix(Self.maximumAddresses)
        let share = TimeAmount.nanoseconds(limit.nanoseconds / Int64(untried.count + 1))
        delay = max(Self.leastDelay, min(Self.usualDelay, share))
    }

    mutating func start() -> Step { next() }

    /// The attempt that began last has not come to an end in time.
    mutating func delayElapsed() -> Step { next() }

    mutating func failed(_ address: SocketAddress) -> Step {
        pending.removeAll { $0 == address }
        return next()
    }

    /// - Returns: The addresses that were begun with earlier and have not answered.
    mutating func succeeded(_ address: SocketAddress) -> [SocketAddress] {
        let overtaken = Array(pending.prefix { $0 != address })
        untried = []
        pending = []
        return overtaken
    }

    /// Indicates whether the delay has anything to end in.
    var isRunningOut: Bool { untried.isEmpty }

    private mutating func next() -> Step {
        guard let address = untried.popFirst() else { return pending.isEmpty ? .giveUp : .wait }
        pending.append(address)
        return .attempt(address)
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
