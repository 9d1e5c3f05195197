import NIOCore
import Testing

@testable import ForwardProxy

@Suite("Which look-ups of names run, and which wait")
struct NameLookupQueueTests {
    private let start = NIODeadline.uptimeNanoseconds(1 << 40)
    private let limit = TimeAmount.seconds(10)
    private let api = NameLookupHolder.api("a")
    private let one = NameLookupHolder.client("one")
    private let two = NameLookupHolder.client("two")

    private func name(_ host: String) -> NameLookupQueue.Name { NameLookupQueue.Name(host: host, port: 443) }

    private func address(_ text: String) throws -> [SocketAddress] { [try SocketAddress(ipAddress: text, port: 443)] }

    /// Starts those that get a thread, and returns them.
    private func started(_ queue: inout NameLookupQueue, at now: NIODeadline) -> [String] {
        var hosts: [String] = []
        while let name = queue.next(at: now) { hosts.append(name.host) }
        return hosts
    }

    private func waiter(_ answer: NameLookupQueue.Answer) throws -> (id: NameLookupQueue.Waiter, until: NIODeadline) {
        guard case .wait(let waiter, let deadline) = answer else { throw ChannelError.inappropriateOperationForState }
        return (waiter, deadline)
    }

    /// Asks for some names of their own.
    private func ask(
        _ queue: inout NameLookupQueue,
        _ prefix: String,
        _ count: Int,
        for holder: NameLookupHolder
    ) throws -> [NameLookupQueue.Waiter] {
        try (0..<count).map { try waiter(queue.ask(name("\(prefix)\($0)"), for: holder, at: start, limit: limit)).id }
    }

    @Test("A holder alone has all threads but a quarter, which others find free")
    func share() throws {
        var queue = NameLookupQueue(threads: 16)
        _ = try ask(&queue, "one", 30, for: one)
        #expect(started(&queue, at: start).count == 12)
        _ = try ask(&queue, "two", 30, for: two)
        #expect(started(&queue, at: start) == (0..<4).map { "two\($0)" })
        // What becomes free is for whoever has the fewest.
        for number in 0..<3 { _ = queue.answered(name("one\(number)"), [], at: start) }
        #expect(started(&queue, at: start).isEmpty)
        _ = try ask(&queue, "api", 1, for: api)
        #expect(started(&queue, at: start) == ["api0"])
    }

    @Test("A look-up in line moves to whoever else wants it and has fewer there, and one that is not is left alone")
    func move() throws {
        var queue = NameLookupQueue(threads: 4)
        _ = try ask(&queue, "one", 5, for: one)
        #expect(started(&queue, at: start).count == 3)
        for host in ["one4", "one0", "never asked for"] { queue.move(name(host), to: two) }
        #expect(started(&queue, at: start) == ["one4"])
        _ = try ask(&queue, "two", 5, for: two)
        queue.move(name("two4"), to: two)
        queue.move(name("one3"), to: two)
        _ = queue.answered(name("one4"), [], at: start)
        #expect(started(&queue, at: start) == ["two0"])
    }

    @Test("A thread that is stuck counts against its holder until the resolver returns, whoever still waits")
    func stuck() throws {
        var queue = NameLookupQueue(threads: 4)
        let waiters = try ask(&queue, "one", 3, for: one)
        #expect(started(&queue, at: start).count == 3)
        for (number, waiter) in waiters.enumerated() {
            let isGone = queue.leave(waiter, name("one\(number)"))
            #expect(isGone)
        }
        _ = try ask(&queue, "late", 1, for: one)
        #expect(started(&queue, at: start).isEmpty)
        _ = queue.answered(name("one0"), [], at: start)
        _ = queue.answered(name("one1"), [], at: start)
        #expect(started(&queue, at: start) == ["late0"])
    }

    @Test("A client alone has nearly all places in line; one is free again when its last waiter has gone")
    func line() throws {
        // Of 36 a client that is alone has eight ninths.
        var queue = NameLookupQueue(threads: 1, lineLimit: 36)
        _ = try ask(&queue, "running", 1, for: one)
        #expect(started(&queue, at: start).count == 1)
        let waiters = try ask(&queue, "one", 32, for: one)
        guard case .lineIsFull = queue.ask(name("more"), for: one, at: start, limit: limit) else {
            Issue.record("it is not full")
            return
        }
        // For others there is room, and for a name that is asked for already.
        _ = try ask(&queue, "two", 1, for: two)
        let again = try waiter(queue.ask(name("one0"), for: one, at: start, limit: limit)).id
        var isGone = queue.leave(waiters[0], name("one0"))
        #expect(isGone)
        guard case .lineIsFull = queue.ask(name("more"), for: one, at: start, limit: limit) else {
            Issue.record("somebody waits still")
            return
        }
        isGone = queue.leave(again, name("one0"))
        #expect(isGone)
        isGone = queue.leave(again, name("one0"))
        #expect(!isGone)
        isGone = queue.leave(waiters[31], name("one31"))
        #expect(isGone)
        // Eight ninths of what the other one leaves.
        _ = try waiter(queue.ask(name("more"), for: one, at: start, limit: limit))
        _ = queue.answered(name("running0"), [], at: start)
        // The one that waits longer is first where both have no thread.
        #expect(started(&queue, at: start) == ["one1"])
    }

    @Test("Where another client's look-ups wait each has a share of the places, and what the configuration names waits")
    func sharesLine() throws {
        var queue = NameLookupQueue(threads: 1, lineLimit: 170)
        func fill(_ holder: NameLookupHolder, _ prefix: String) -> Int {
            (0..<200).prefix { number in
                guard case .wait = queue.ask(name("\(prefix)\(number)"), for: holder, at: start, limit: limit) else {
                    return false
                }
                return true
            }.count
        }
        _ = try ask(&queue, "one", 80, for: one)
        #expect(fill(two, "two") == 80)
        guard case .lineIsFull = queue.ask(name("more"), for: one, at: start, limit: limit) else {
            Issue.record("one has more than its share")
            return
        }
        #expect(fill(api, "api") == 200)
        #expect(fill(.upstreamProxy, "proxy") == 200)
    }

    @Test("Those that leave a long line from anywhere leave the others in their order")
    func leavesLongLine() throws {
        var queue = NameLookupQueue(threads: 1)
        let waiters = try ask(&queue, "one", 3000, for: one)
        for number in 0..<3000 where number % 100 != 7 {
            let isGone = queue.leave(waiters[number], name("one\(number)"))
            #expect(isGone)
        }
        var order: [String] = []
        while let next = queue.next(at: start) {
            order.append(next.host)
            _ = queue.answered(next, [], at: start)
        }
        #expect(order == (0..<30).map { "one\($0 * 100 + 7)" })
    }

    @Test("A name in a long line goes to that of whoever else asks for it")
    func changesLines() throws {
        var queue = NameLookupQueue(threads: 4)
        _ = try ask(&queue, "one", 20, for: one)
        #expect(started(&queue, at: start).count == 3)
        _ = try waiter(queue.ask(name("one19"), for: two, at: start, limit: limit))
        #expect(started(&queue, at: start) == ["one19"])
    }

    @Test("A caller waits for a look-up for as long as that may take, and nobody once it is overdue")
    func overdue() throws {
        var queue = NameLookupQueue(threads: 1)
        let first = try waiter(queue.ask(name("slow"), for: one, at: start, limit: limit))
        #expect(first.until == start + limit)
        #expect(started(&queue, at: start + .seconds(1)) == ["slow"])
        let second = try waiter(queue.ask(name("slow"), for: two, at: start + .seconds(6), limit: limit))
        #expect(second.until == start + .seconds(11))
        guard case .overdue = queue.ask(name("slow"), for: two, at: start + .seconds(11), limit: limit) else {
            Issue.record("it is waited for")
            return
        }
        #expect(
            queue.answered(name("slow"), try address("192.0.2.1"), at: start + .seconds(30)) == [first.id, second.id]
        )
        guard case .known = queue.ask(name("slow"), for: two, at: start + .seconds(31), limit: limit) else {
            Issue.record("the answer is forgotten")
            return
        }
    }

    @Test("Addresses are kept for 5 s, that there are none for 1 s, and neither once it is forgotten")
    func keeps() throws {
        var queue = NameLookupQueue(threads: 1)
        func known(_ host: String, _ seconds: Int64) -> [SocketAddress]? {
            let answer = queue.ask(name(host), for: one, at: start + .milliseconds(seconds), limit: limit)
            switch answer {
            case .known(let addresses): return addresses
            case .wait(let waiter, _): _ = queue.leave(waiter, name(host))
            case .overdue, .lineIsFull: break
            }
            return nil
        }
        for (host, addresses) in [("good", try address("192.0.2.1")), ("bad", [])] {
            _ = try waiter(queue.ask(name(host), for: one, at: start, limit: limit))
            #expect(started(&queue, at: start) == [host])
            _ = queue.answered(name(host), addresses, at: start)
        }
        #expect(known("good", 4_999) == (try address("192.0.2.1")))
        #expect(known("good", 5_000) == nil)
        #expect(known("bad", 999) == [])
        #expect(known("bad", 1_000) == nil)
        queue.forget(name("good"))
        #expect(known("good", 1) == nil)
    }

    @Test("However many names are asked for, the answers that are kept are bounded")
    func isBounded() throws {
        var queue = NameLookupQueue(threads: 1)
        for number in 0..<(2 * NameLookupQueue.capacity) {
            _ = queue.ask(name("\(number)"), for: one, at: start, limit: limit)
            _ = started(&queue, at: start)
            _ = queue.answered(name("\(number)"), try address("192.0.2.1"), at: start)
        }
        var known = 0
        for number in 0..<(2 * NameLookupQueue.capacity) {
            if case .known = queue.ask(name("\(number)"), for: .client("\(number)"), at: start, limit: limit) {
                known += 1
            }
        }
        #expect((NameLookupQueue.capacity / 2...NameLookupQueue.capacity).contains(known))
    }
}
