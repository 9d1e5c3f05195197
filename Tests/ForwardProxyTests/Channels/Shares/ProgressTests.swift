import NIOCore
import Testing

@testable import ForwardProxy

@Suite("Progress")
struct ProgressTests {
    private func at(_ second: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(second) }

    @Test("is made by 4 KiB that move, and not by a byte now and then")
    func bytes() {
        var progress = Progress(begun: at(0))
        for second in 1...100 { progress.moved(1, at: at(Int64(second))) }
        #expect(progress.lastMade == at(0))
        progress.moved(4095, at: at(101))
        #expect(progress.lastMade == at(101))
        progress.moved(4095, at: at(102))
        #expect(progress.lastMade == at(101))
    }

    @Test("begins anew with a request, unless answers wait that the client does not take", arguments: [0, 1])
    func requests(unsent: Int) {
        var progress = Progress(begun: at(0))
        var backlog = Backlog()
        progress.requestBegan(at: at(1), behind: backlog, unsent: unsent)
        #expect(progress.lastMade == at(1))
        _ = backlog.observe(100, acknowledged: 0, at: at(2))
        progress.requestBegan(at: at(3), behind: backlog, unsent: unsent)
        #expect(progress.lastMade == at(unsent == 0 ? 3 : 1))
    }

    @Test("is made when what waits to be taken becomes less")
    func unsent() {
        var progress = Progress(begun: at(0))
        progress.observe(unsent: 100_000, at: at(1))
        for second in 2...9 { progress.observe(unsent: 100_000 - second, at: at(Int64(second))) }
        #expect(progress.lastMade == at(1))
        progress.observe(unsent: 90_000, at: at(10))
        #expect(progress.lastMade == at(10))
    }
}
