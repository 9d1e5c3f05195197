import Testing

@testable import HTTP2Codec

@Suite struct SendWindowTests {
    /// A window as the peer makes it by its first WINDOW_UPDATE.
    private func window(_ size: Int) throws -> SendWindow {
        var window = SendWindow()
        try window.enlarge(by: size - PeerSettings.initialWindow)
        return window
    }

    @Test func `A window begins with the default and grows up to its bound`() throws {
        var window = SendWindow()
        #expect(window.rest == 65_535)
        try window.enlarge(by: WindowSize.largest - 65_535)
        #expect(window.rest == WindowSize.largest)
        #expect(throws: HTTP2ConnectionError.windowTooLarge) { try window.enlarge(by: 1) }
    }

    @Test func `A stream that is alone may take all of it`() throws {
        var window = try window(100_000)
        window.take(90_000, at: 0)
        #expect(window.share(holding: 90_000, among: 1) == 10_000)
    }

    @Test(arguments: [
        // Above the reserve of 25,000.
        (0, 0, 2, 75_000), (20_000, 20_000, 2, 55_000),
        // At it: who holds less than its part may take what is missing of that.
        (75_000, 75_000, 2, 0), (75_000, 0, 2, 12_500), (75_000, 2_500, 5, 2_500),
        // Never more than there is.
        (95_000, 0, 2, 5_000), (100_000, 0, 2, 0),
    ])
    func `Of several streams each has its part of the reserve`(
        _ taken: Int,
        _ own: Int,
        _ count: Int,
        _ share: Int
    ) throws {
        var window = try window(100_000)
        window.take(taken, at: 0)
        #expect(window.share(holding: own, among: count) == share)
    }

    @Test func `Bodies have room while streams hold a quarter at most`() throws {
        var window = try window(100_000)
        window.take(25_000, at: 0)
        #expect(window.hasRoomForBodies)
        window.take(1, at: 0)
        #expect(!window.hasRoomForBodies)
        // Given back to the streams, and not to the connection.
        var released = window
        released.release(1)
        #expect(released.hasRoomForBodies)
        // The other way round.
        try window.enlarge(by: 1)
        #expect(window.hasRoomForBodies)
        window.take(75_000, at: 0)
        window.releaseAll()
        #expect(window.hasRoomForBodies)
    }

    @Test func `What is sent is progress, but for a trickle`() throws {
        var window = try window(100_000)
        window.take(1_023, at: 3)
        #expect(window.progress.stalledSince == 0)
        window.take(1, at: 4)
        #expect(window.progress.stalledSince == 4)
    }
}
