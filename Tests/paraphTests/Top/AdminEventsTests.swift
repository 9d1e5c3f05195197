import NIOCore
import Settings
import TestSupport
import Testing

@testable import paraph

@Suite("The stream of the requests", .generousLimit, .timed)
struct AdminEventsTests {
    @Test("of a proxy that says nothing any more has ended", arguments: [true, false])
    func silent(begins: Bool) async throws {
        let head = "HTTP/1.1 200 OK\r\nServer: paraph\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n:\n\n\r\n"
        let listener = try await CannedListener(begins ? head : nil, closes: false)
        let address = ListenAddress(host: "127.0.0.1", port: listener.port)
        let events = AdminEvents(address: address, token: nil, silence: .milliseconds(50))
        let error = await #expect(throws: AdminEvents.Failure.self) {
            try await events.follow(opened: {}) { _ in }
        }
        #expect(error?.description == "the proxy at \(address) says nothing any more")
        #expect(error?.isFinal == false)
        try await listener.close()
    }
}
