import Testing

@testable import HTTP2Codec

@Suite struct SettingsExchangeTests {
    @Test func `The settings of both sides hold after those of the peer and an acknowledgement`() {
        var exchange = SettingsExchange()
        #expect(exchange.stage == .awaitingPeer)
        let first = (exchange.beginPeerSettings(), exchange.stage)
        #expect(first.0)
        #expect(first.1 == .awaitingAcknowledgement)
        let second = (exchange.beginPeerSettings(), exchange.stage)
        #expect(!second.0)
        #expect(second.1 == .awaitingAcknowledgement)
        let acknowledged = (exchange.acknowledge(), exchange.stage)
        #expect(acknowledged.0)
        #expect(acknowledged.1 == .complete)
        let again = (exchange.acknowledge(), exchange.beginPeerSettings())
        #expect(!again.0)
        #expect(!again.1)
        #expect(exchange.stage == .complete)
    }

    @Test func `What is said to later sends is kept`() throws {
        var exchange = SettingsExchange()
        #expect(try exchange.apply(3, 7, role: .client) == nil)
        #expect(try exchange.apply(5, 16_777_215, role: .client) == nil)
        #expect(exchange.peer.maxConcurrentStreams == 7)
        #expect(exchange.peer.maxFrameSize == 16_777_215)
    }

    @Test func `A window is told by its difference to the one before`() throws {
        var exchange = SettingsExchange()
        #expect(try exchange.apply(4, 65_536, role: .server) == .streamWindows(difference: 1))
        #expect(try exchange.apply(4, 0, role: .server) == .streamWindows(difference: -65_536))
        #expect(try exchange.apply(4, 0x7FFF_FFFF, role: .server) == .streamWindows(difference: 0x7FFF_FFFF))
        #expect(exchange.peer.initialWindow == 0x7FFF_FFFF)
        #expect(try exchange.apply(1, 0, role: .server) == .tableLimit(0))
    }

    @Test(
        arguments: [(2, 1, .server), (2, 0, .client), (6, .max, .server), (9, 1, .server), (0xFFFF, .max, .client)]
            as [(UInt16, UInt32, HTTP2Role)]
    )
    func `Other settings change nothing`(_ parameter: UInt16, _ value: UInt32, _ role: HTTP2Role) throws {
        var exchange = SettingsExchange()
        #expect(try exchange.apply(parameter, value, role: role) == nil)
        #expect(exchange.peer.initialWindow == PeerSettings.initialWindow)
        #expect(exchange.peer.maxFrameSize == 16_384)
        #expect(exchange.peer.maxConcurrentStreams == .max)
    }

    @Test(
        arguments: [
            (2, 1, .client), (2, 2, .server), (5, 16_383, .server), (5, 16_777_216, .server), (9, 2, .client),
        ] as [(UInt16, UInt32, HTTP2Role)]
    )
    func `A value that is not allowed is refused`(_ parameter: UInt16, _ value: UInt32, _ role: HTTP2Role) {
        var exchange = SettingsExchange()
        #expect(throws: HTTP2ConnectionError.settingInvalid) {
            try exchange.apply(parameter, value, role: role)
        }
    }

    @Test func `A window above the largest is refused`() {
        var exchange = SettingsExchange()
        #expect(throws: HTTP2ConnectionError.initialWindowTooLarge) {
            try exchange.apply(4, 0x8000_0000, role: .client)
        }
        #expect(exchange.peer.initialWindow == PeerSettings.initialWindow)
    }
}
