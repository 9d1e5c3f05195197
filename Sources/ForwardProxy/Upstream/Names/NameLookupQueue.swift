import Bytes
import NIOCore
import Settings

/// The look-ups of names that share some threads: which of them run, which wait in line and for whom, and what the
/// latest answers were.
///
/// The resolver blocks its thread, for half a minute where no name server answers, and cannot be called back. So
///
/// 1. of one name there is one look-up at a time, for all who ask;
/// 2. a holder's look-ups take at most a quarter of the threads, or as many as leave a quarter free; one whose waiters
///    are all gone counts until the resolver returns;
/// 3. what has no thread waits in line: of several holders that with the fewest threads goes first. Where nobody waits
///    for it any more, it is given up. Of the places in line a client has a share after the rule of ``FairShare``; what
///    the configuration names waits in any case;
/// 4. a look-up has as long as a waiter has, from when it got its thread. Who asks later waits for what is left of
///    that, and once it is over nobody waits for the name until the resolver returns;
/// 5. answers are kept, briefly: the resolver does not say for how long they are valid.
///
/// A plain value: its owner runs the look-ups, and lets the waiters' time end.
struct NameLookupQueue {
    /// The time for which addresses are kept. Short enough for names that are moved in a failover, whose answers have a
    /// time to live of half a minute or more; those that nobody can be connected to at are forgotten at once.
    static let answerLifetime = TimeAmount.seconds(5)
    /// The time for which it is known that a name has no addresses.
    static let failureLifetime = TimeAmount.seconds(1)
    /// Names whose answers are kept, at most.
    static let capacity = 1024

    typealias Waiter = UInt64

    /// A name as the resolver is asked for it.
    struct Name: Hashable, Sendable {
        var host: String
        /// The port that the addresses are to have.
        var port: Int
    }

    enum Answer {
        /// The addresses are known already; empty: the name does not resolve.
        case known([SocketAddress])
        /// An answer to be waited for, until then at most.
        case wait(Waiter, until: NIODeadline)
        /// The look-up that runs has taken too long.
        case overdue
        /// The holder has as many look-ups in line as it may have beside those of others.
        case lineIsFull
    }

    private struct Lookup {
        var holder: NameLookupHolder
        var waiters: Set<Waiter>
        /// The time at which it got its thread; nil: it is in line.
        var start: NIODeadline?
        /// The place at which it stands in line, or stood.
        var place: UInt64 = 0
    }

    /// The look-ups of one holder that wait for a thread, the first one first. One that leaves from the middle costs no
    /// walk along the others: a client that goes may have thousands.
    private struct Line {
        private var names: [UInt64: Name] = [:]
        /// The places in their order, the first one taken. Those that were left from the middle are among them for a
        /// while.
        private var places: CircularBuffer<UInt64> = []

        var count: Int { names.count }

        var isEmpty: Bool { names.isEmpty }

        var first: (name: Name, place: UInt64)? {
            guard let place = places.first, let name = names[place] else { return nil }
            return (name, place)
        }

        /// - Parameter place: Above all others that were given.
        mutating func append(_ name: Name, at place: UInt64) {
            names[place] = name
            places.append(place)
        }

        mutating func remove(_ place: UInt64) {
            names[place] = nil
            while let first = places.first, names[first] == nil { places.removeFirst() }
            if places.count > 2 * names.count + 16 { places.removeAll { names[$0] == nil } }
        }
    }

    private let threads: Int
    private let line: FairShare
    private var lookups: [Name: Lookup] = [:]
    /// The names in line; none is empty.
    private var lines: [NameLookupHolder: Line] = [:]
    private var inLine = 0
    private var running: [NameLookupHolder: Int] = [:]
    private var runningCount = 0
    private var known = BoundedCache<Name, [SocketAddress], NIODeadline>(limit: NameLookupQueue.capacity)
    private var lastWaiter: Waiter = 0
    private var lastPlace: UInt64 = 0

    /// - Parameters:
    ///   - threads: The number of look-ups that may run at once.
    ///   - lineLimit: The number of those that may wait in line, for clients.
    init(threads: Int, lineLimit: Int = ProxyLimits.usualLookupsInLine) {
        self.threads = threads
        line = FairShare(capacity: lineLimit)
    }

    /// Threads that a holder may take though others want them.
    private var share: Int { max(1, threads / 4) }

    /// - Parameter limit: The time for which the answer would be waited for.
    mutating func ask(
        _ name: Name,
        for holder: NameLookupHolder,
        at now: NIODeadline,
        limit: TimeAmount
    ) -> Answer {
        if let addresses = known.value(for: name, at: now) { return .known(addresses) }
        guard let lookup = lookups[name] else { return begin(name, for: holder, until: now + limit) }
        if let start = lookup.start {
            return start + limit > now ? .wait(join(name), until: start + limit) : .overdue
        }
        move(name, to: holder)
        return .wait(join(name), until: now + limit)
    }

    /// Moves a look-up that is in line to the line of somebody else who wants it, where that is shorter: a holder that
    /// has many there is not to keep a name from those that have few.
    mutating func move(_ name: Name, to holder: NameLookupHolder) {
        guard let lookup = lookups[name], lookup.start == nil else { return }
        guard load(of: holder) < load(of: lookup.holder) else { return }
        removeFromLine(lookup)
        lookups[name]?.holder = holder
        appendToLine(name, of: holder)
    }

    private mutating func begin(
        _ name: Name,
        for holder: NameLookupHolder,
        until deadline: NIODeadline
    ) -> Answer {
        guard holder.isOfConfiguration || line.permits(1, to: countInLine(of: holder), of: inLine) else {
            return .lineIsFull
        }
        lookups[name] = Lookup(holder: holder, waiters: [])
        appendToLine(name, of: holder)
        return .wait(join(name), until: deadline)
    }

    private mutating func join(_ name: Name) -> Waiter {
        lastWaiter += 1
        lookups[name]?.waiters.insert(lastWaiter)
        return lastWaiter
    }

    private func load(of holder: NameLookupHolder) -> Int {
        running[holder, default: 0] + countInLine(of: holder)
    }

    private func countInLine(of holder: NameLookupHolder) -> Int { lines[holder]?.count ?? 0 }

    private mutating func appendToLine(_ name: Name, of holder: NameLookupHolder) {
        lastPlace += 1
        lookups[name]?.place = lastPlace
        lines[holder, default: Line()].append(name, at: lastPlace)
        inLine += 1
    }

    private mutating func removeFromLine(_ lookup: Lookup) {
        lines[lookup.holder]?.remove(lookup.place)
        if lines[lookup.holder]?.isEmpty == true { lines[lookup.holder] = nil }
        inLine -= 1
    }

    /// Ends one wait for a name.
    ///
    /// - Returns: False when the answer was there before.
    mutating func leave(_ waiter: Waiter, _ name: Name) -> Bool {
        guard lookups[name]?.waiters.remove(waiter) != nil else { return false }
        if let lookup = lookups[name], lookup.waiters.isEmpty, lookup.start == nil {
            removeFromLine(lookup)
            lookups[name] = nil
        }
        return true
    }

    /// The next look-up that gets a thread; to be asked for whenever there may be one, until there is none.
    mutating func next(at now: NIODeadline) -> Name? {
        let free = threads - runningCount
        guard free > 0, !lines.isEmpty else { return nil }
        let holder = lines.min { one, other in
            let (oneRuns, otherRuns) = (running[one.key, default: 0], running[other.key, default: 0])
            guard oneRuns == otherRuns else { return oneRuns < otherRuns }
            return (one.value.first?.place ?? 0) < (other.value.first?.place ?? 0)
        }?.key
        guard let holder, running[holder, default: 0] < share || free > share else { return nil }
        guard let name = lines[holder]?.first?.name, let lookup = lookups[name] else { return nil }
        removeFromLine(lookup)
        lookups[name]?.start = now
        running[holder, default: 0] += 1
        runningCount += 1
        return name
    }

    /// The resolver has returned.
    ///
    /// - Returns: Who waits for the answer.
    mutating func answered(_ name: Name, _ addresses: [SocketAddress], at now: NIODeadline) -> Set<Waiter> {
        guard let lookup = lookups.removeValue(forKey: name) else { return [] }
        runningCount -= 1
        running[lookup.holder, default: 0] -= 1
        if running[lookup.holder] == 0 { running[lookup.holder] = nil }
        let lifetime = addresses.isEmpty ? Self.failureLifetime : Self.answerLifetime
        known.insert(addresses, for: name, until: now + lifetime, at: now)
        return lookup.waiters
    }

    /// Forgets addresses that could not be connected to: they may be others by now.
    mutating func forget(_ name: Name) {
        known.removeValue(for: name)
    }
}
