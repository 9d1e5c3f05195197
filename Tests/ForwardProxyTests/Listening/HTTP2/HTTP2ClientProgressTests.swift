import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The progress of a client by HTTP/2")
struct HTTP2ClientProgressTests {
    private func time(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }

    @Test("What has moved lately is taken for being taken, until it has stood still for the whole time")
    func taking() {
        var progress = HTTP2ClientProgress(begun: time(0))
        #expect(progress.isTaking(unsent: 0, at: time(1), within: .seconds(10)) == false)
        #expect(progress.isTaking(unsent: 500, at: time(2), within: .seconds(10)) == true)
        #expect(progress.isTaking(unsent: 500, at: time(11), within: .seconds(10)) == true)
        #expect(progress.isTaking(unsent: 500, at: time(12), within: .seconds(10)) == false)
        #expect(progress.isTaking(unsent: 400, at: time(13), within: .seconds(10)) == true)
        #expect(progress.isTaking(unsent: 0, at: time(14), within: .seconds(10)) == false)
    }

    @Test("A request begins the time anew, except of a client that leaves answers")
    func requestBegins() {
        var progress = HTTP2ClientProgress(begun: time(0))
        progress.requestBegan(at: time(1), unsent: 100)
        #expect(progress.lastMade == time(1))
        #expect(progress.lastTaken(unsent: 100, acknowledged: 0, at: time(2)) == time(2))
        progress.requestBegan(at: time(3), unsent: 100)
        #expect(progress.lastMade == time(1))
        progress.requestBegan(at: time(4), unsent: 0)
        #expect(progress.lastMade == time(4))
    }

    @Test("Bytes that come are progress when they are enough")
    func receives() {
        var progress = HTTP2ClientProgress(begun: time(0))
        progress.received(bytes: Progress.least - 1, at: time(1))
        #expect(progress.lastMade == time(0))
        progress.received(bytes: 1, at: time(2))
        #expect(progress.lastMade == time(2))
    }
}
