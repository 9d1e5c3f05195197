import Testing

@testable import HTTP2Codec

@Suite struct ReceiveWindowTests {
    @Test func `Half of the window is given back at once, and less is not`() throws {
        var window = ReceiveWindow(size: 1_000)
        #expect(try window.take(0) == 0)
        #expect(try window.take(499) == 0)
        #expect(try window.take(1) == 500)
        #expect(try window.take(1_000) == 1_000)
        #expect(try window.take(400) == 0)
        #expect(throws: HTTP2ConnectionError.windowExceeded) { try window.take(601) }
    }
}
