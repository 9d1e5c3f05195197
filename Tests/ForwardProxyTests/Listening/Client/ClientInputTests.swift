import HTTP1Codec
import Logging
import NIOCore
import Testing

@testable import ForwardProxy

@Suite("A client's input that is not decoded yet")
struct ClientInputTests {
    private static let logger = Logger(label: "test")
    private let usages = ClientUsages(clock: EmbeddedClock(), logger: logger)

    @Test("What is left of it is counted anew each time, for one client")
    func holds() throws {
        let one = usages.usage(of: .client("one"))
        var input = ClientInput(limits: MessageLimits())
        input.append(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\nX-Large: "))
        let isLarge = input.isLarge
        #expect(!isLarge)
        input.append(ByteBuffer(repeating: 0x61, count: HeadMemory.uncountedBytes))
        if let event = try input.next() { Issue.record("\(event)") }
        var (isHolding, buffered) = (input.isLarge && input.hold(for: one), input.bufferedBytes)
        #expect(isHolding)
        let held = input.heldBytes
        #expect(held == buffered)
        let (isOwn, isOther) = (input.isHeld(for: one), input.isHeld(for: usages.unnamed))
        #expect(isOwn && !isOther)
        input.append(ByteBuffer(string: "\r\n\r\nGET"))
        guard case .head = try input.next() else { throw UnreadableHead() }
        (isHolding, buffered) = (input.hold(for: one), input.bufferedBytes)
        #expect(isHolding)
        #expect(one.memory.held == buffered)
        let releases = [input.release(), input.release()]
        #expect(releases == [true, false])
        #expect(one.memory.held == 0)
    }

    @Test("It begins anew where TLS does")
    func restarts() throws {
        var input = ClientInput(limits: MessageLimits())
        input.append(ByteBuffer(string: "\u{16}\u{3}"))
        let (taken, left) = (input.restart(limits: MessageLimits()), input.bufferedBytes)
        #expect(taken == ByteBuffer(string: "\u{16}\u{3}"))
        #expect(left == 0)
        input.append(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
        guard case .head = try input.next() else { throw UnreadableHead() }
    }
}
