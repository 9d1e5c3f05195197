import NIOCore
import Testing

@testable import ForwardProxy

@Suite("Addresses that could not be connected to a short while ago")
struct FailedAddressesTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private func addresses(_ count: Int) throws -> [SocketAddress] {
        try (0..<count).map { try SocketAddress(ipAddress: "10.0.\($0 / 256).\($0 % 256)", port: 443) }
    }

    @Test("They are tried last, the one that failed first before the others, and none is left out")
    func areLast() throws {
        let all = try addresses(4)
        var failed = FailedAddresses()
        #expect(failed.ordered(all, at: start) == all)
        failed.note(all[1], at: start)
        failed.note(all[0], at: start + .seconds(1))
        #expect(failed.ordered(all, at: start + .seconds(2)) == [all[2], all[3], all[1], all[0]])
        #expect(failed.ordered([all[0]], at: start + .seconds(2)) == [all[0]])
    }

    @Test("Each is forgotten after a while, or when it accepts a connection")
    func areForgotten() throws {
        let all = try addresses(2)
        var failed = FailedAddresses()
        failed.note(all[0], at: start)
        let before = start + FailedAddresses.memory - .nanoseconds(1)
        #expect(failed.ordered(all, at: before) == [all[1], all[0]])
        #expect(failed.ordered(all, at: start + FailedAddresses.memory) == all)
        failed.forget(all[0])
        #expect(failed.ordered(all, at: before) == all)
        #expect(failed.count == 0)
    }

    @Test("Another port is another address")
    func countsPorts() throws {
        let one = try SocketAddress(ipAddress: "10.0.0.1", port: 443)
        let other = try SocketAddress(ipAddress: "10.0.0.1", port: 444)
        var failed = FailedAddresses()
        failed.note(one, at: start)
        #expect(failed.ordered([one, other], at: start) == [other, one])
    }

    @Test("Their number is bounded: those that count no longer make room, then the oldest")
    func areBounded() throws {
        let all = try addresses(FailedAddresses.capacity + 2)
        var failed = FailedAddresses()
        for (index, address) in all.dropLast().enumerated() {
            failed.note(address, at: start + .microseconds(Int64(index)))
        }
        #expect(failed.count == FailedAddresses.capacity)
        #expect(failed.ordered([all[0], all[1]], at: start + .seconds(1)) == [all[0], all[1]])
        #expect(failed.ordered([all[1], all[0]], at: start + .seconds(1)) == [all[0], all[1]])
        failed.note(all[all.count - 1], at: start + .seconds(60))
        #expect(failed.count == 1)
    }
}
