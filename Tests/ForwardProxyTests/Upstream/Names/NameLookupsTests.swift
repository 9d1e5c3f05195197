import Dispatch
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Looking names up", .generousLimit, .timed)
struct NameLookupsTests {
    /// A resolver that takes its time with names that begin with `slow`, until it is told to answer one.
    private final class Resolver: Sendable {
        private let asked = Mutex<[String]>([])
        private let answers = DispatchSemaphore(value: 0)
        private let inbox = Inbox()

        var names: [String] { asked.withLock { $0 } }

        func resolve(_ host: String, _ port: Int) -> [SocketAddress] {
            asked.withLock { $0.append(host) }
            inbox.update { $0.total += 1 }
            if host.hasPrefix("slow") { answers.wait() }
            guard !host.hasSuffix("nowhere"), let found = try? SocketAddress(ipAddress: "192.0.2.1", port: port) else {
                return []
            }
            return [found]
        }

        func answer() { answers.signal() }

        func isAsked(_ count: Int) async throws {
            _ = try await inbox.wait { $0.total >= count ? true : nil }
        }
    }

    private typealias Look = @Sendable (_ host: String, _ limit: TimeAmount) -> EventLoopFuture<[SocketAddress]>

    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let clock = ManualClock()

    /// - Parameter body: The function that is called with what looks a name up.
    private func with(
        threads count: Int,
        _ body: (Resolver, @escaping Look) async throws -> Void
    ) async throws {
        let resolver = Resolver()
        let lookups = NameLookups(clock: clock, count: count, resolve: resolver.resolve)
        lookups.start()
        defer { lookups.shutdown() }
        try await body(resolver) { [loop] host, limit in
            loop.flatSubmit {
                lookups.addresses(of: host, port: 443, for: .client(host), limit: limit, on: loop).addresses
            }
        }
    }

    private func failure(of future: EventLoopFuture<[SocketAddress]>) async -> ProxyErrorToken? {
        do {
            _ = try await future.get()
            return nil
        } catch {
            return (error as? UpstreamFailure)?.problem(authority: "").token
        }
    }

    @Test("A question for a name that is looked up waits for the same answer, which is kept for a while")
    func shares() async throws {
        try await with(threads: 2) { resolver, look in
            let first = look("slow.test", .hours(1))
            try await resolver.isAsked(1)
            let others = (0..<10).map { _ in look("slow.test", .hours(1)) }
            #expect(try await look("fast.test", .hours(1)).get().count == 1)
            resolver.answer()
            for one in [first] + others { #expect(try await one.get().first?.ipAddress == "192.0.2.1") }
            #expect(resolver.names == ["slow.test", "fast.test"])
            #expect(try await look("slow.test", .hours(1)).get().count == 1)
            #expect(resolver.names.count == 2)
            await clock.advance(by: NameLookupQueue.answerLifetime)
            resolver.answer()
            #expect(try await look("slow.test", .hours(1)).get().count == 1)
            #expect(resolver.names.count == 3)
        }
    }

    @Test("A slow name does not hold up another while there is a thread")
    func doesNotBlock() async throws {
        try await with(threads: 3) { resolver, look in
            let slow = [look("slow-1.test", .hours(1)), look("slow-2.test", .hours(1))]
            try await resolver.isAsked(2)
            #expect(try await look("fast.test", .hours(1)).get().count == 1)
            for _ in slow { resolver.answer() }
            for one in slow { #expect(try await one.get().count == 1) }
        }
    }

    @Test("What takes longer than the limit fails, and its answer is of no consequence")
    func timesOut() async throws {
        try await with(threads: 1) { resolver, look in
            let slow = look("slow.test", .seconds(1))
            try await clock.expire(.seconds(1))
            #expect(await failure(of: slow) == .dnsTimeout)
            // Whether it had its turn by then or was dropped, the thread is free for others afterwards.
            resolver.answer()
            let found = try await look("fast.test", .hours(1)).get()
            #expect(found.count == 1)
        }
    }

    @Test("With all threads busy look-ups wait in line, and those that nobody waits for any more are not made")
    func dropsLookups() async throws {
        try await with(threads: 1) { resolver, look in
            let slow = look("slow.test", .hours(1))
            try await resolver.isAsked(1)
            let abandoned = (0..<100).map { look("late-\($0).test", .seconds(1)) }
            try await clock.expire(.seconds(1))
            for one in abandoned { #expect(await failure(of: one) == .dnsTimeout) }
            // Asked for again in time: it is made after all.
            let again = look("late-7.test", .hours(1))
            let last = look("fast.test", .hours(1))
            resolver.answer()
            #expect(try await slow.get().count == 1)
            #expect(try await again.get().count == 1)
            #expect(try await last.get().count == 1)
            #expect(Set(resolver.names) == ["slow.test", "late-7.test", "fast.test"])
        }
    }

    @Test("A name that nobody answers fails at once for who asks after its time, until the resolver returns")
    func failsAtOnce() async throws {
        try await with(threads: 2) { resolver, look in
            let slow = look("slow.test", .seconds(10))
            try await resolver.isAsked(1)
            try await clock.expire(.seconds(10))
            #expect(await failure(of: slow) == .dnsTimeout)
            #expect(await failure(of: look("slow.test", .seconds(10))) == .dnsTimeout)
            #expect(resolver.names == ["slow.test"])
            resolver.answer()
        }
    }

    @Test("A look-up in line that is given up is not made, and fails")
    func givesUp() async throws {
        let resolver = Resolver()
        let lookups = NameLookups(clock: clock, count: 1, resolve: resolver.resolve)
        lookups.start()
        defer { lookups.shutdown() }
        let pending = try await loop.submit { [loop] in
            ["slow.test", "late.test"].map {
                lookups.addresses(of: $0, port: 443, for: .client("one"), limit: .hours(1), on: loop)
            }
        }.get()
        try await resolver.isAsked(1)
        pending[1].giveUp?()
        #expect(await failure(of: pending[1].addresses) == .connectionTerminated)
        resolver.answer()
        #expect(try await pending[0].addresses.get().count == 1)
        let last = try await loop.flatSubmit { [loop] in
            lookups.addresses(of: "fast.test", port: 443, for: .client("one"), limit: .hours(1), on: loop).addresses
        }.get()
        #expect(last.count == 1)
        #expect(resolver.names == ["slow.test", "fast.test"])
    }

    @Test("A name without addresses does not resolve")
    func failsOnNothing() async throws {
        try await with(threads: 1) { _, look in
            #expect(await failure(of: look("nowhere", .hours(1))) == .dnsError)
        }
    }
}
