import NIOCore
import NIOEmbedded
import Testing

@testable import ForwardProxy

@Suite("The attempts at a connection that one client waits for")
struct ClientDialTests {
    @Test("They are closed when it is given up, and none begins after that")
    func givesUp() throws {
        let dial = ClientDial()
        let attempts = [EmbeddedChannel(), EmbeddedChannel()]
        for attempt in attempts {
            attempt.connect(to: try SocketAddress(ipAddress: "192.0.2.1", port: 1), promise: nil)
            try dial.begin(attempt).wait()
            #expect(attempt.isActive)
        }
        dial.giveUp()
        for attempt in attempts { #expect(!attempt.isActive) }
        #expect(throws: ChannelError.eof) { try dial.begin(EmbeddedChannel()).wait() }
    }
}
