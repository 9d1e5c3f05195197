import NIOCore

/// A client's connection, as others see it who want its place.
struct HeldPlace: Sendable {
    let holder: ClientKey
    /// Since when it has been between requests; nil: it is not.
    let idleSince: NIODeadline?
    /// Since when it has made no ``Progress`` though its client is waited for; nil: it is not the client that is.
    var slowSince: NIODeadline?
    /// Since when it has been there without anybody being named for it, where clients are listed; nil: somebody has
    /// been.
    var unnamedSince: NIODeadline?
    /// For how long that may be.
    let timeForProgress: TimeAmount
    /// The connection, and the event loop that it is on.
    let id: ObjectIdentifier
    let loop: Int

    /// The places that are to be given to newcomers, in the reverse of their order, each with how many its holder then
    /// has.
    ///
    /// The next one is always of the client that holds the most, and of its own the one that has been so for longest.
    ///
    /// - Parameter since: Which places may be given: `\.idleSince`, `\.slowSince` or `\.unnamedSince`.
    static func toGive(
        of places: [HeldPlace],
        count: Int,
        by since: KeyPath<HeldPlace, NIODeadline?> = \.idleSince
    ) -> [(place: HeldPlace, held: Int)] {
        func isLonger(_ one: HeldPlace, than other: HeldPlace) -> Bool {
            (one[keyPath: since] ?? .distantFuture) < (other[keyPath: since] ?? .distantFuture)
        }
        var holders: [ClientKey: (held: Int, idle: [HeldPlace])] = [:]
        for place in places {
            holders[place.holder, default: (0, [])].held += 1
            if place[keyPath: since] != nil { holders[place.holder]?.idle.append(place) }
        }
        var left = holders.values.filter { !$0.idle.isEmpty }.map { holder in
            (held: holder.held, idle: holder.idle.sorted { isLonger($1, than: $0) })
        }
        var given: [(place: HeldPlace, held: Int)] = []
        while given.count < count {
            let next = left.indices.max { one, other in
                if left[one].held != left[other].held { return left[one].held < left[other].held }
                guard let first = left[one].idle.last, let second = left[other].idle.last else { return false }
                return isLonger(second, than: first)
            }
            guard let next, let place = left[next].idle.popLast() else { break }
            given.append((place, left[next].held))
            left[next].held -= 1
            if left[next].idle.isEmpty { left.remove(at: next) }
        }
        return given.reversed()
    }
}
