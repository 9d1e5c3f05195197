import Routing
import Testing

@testable import ForwardProxy

@Suite("The health of an API")
struct APIHealthTests {
    private let health = APIHealth()
    private let first: Authority
    private let second: Authority

    init() throws {
        first = try Authority(parsing: "a.test:443", defaultPort: nil)
        second = try Authority(parsing: "b.test:443", defaultPort: nil)
    }

    @Test("A failure is told until a response comes from the host")
    func failure() {
        #expect(!health.isTroubled)
        health.failed(.unreachable, at: first, time: 10, "It is down.")
        health.failed(.nameNotFound, at: second, time: 11, "No name.")
        #expect(health.told.troubles.map(\.authority) == ["b.test:443", "a.test:443"])
        health.answered(at: first, isReused: true, account: nil, time: 12)
        #expect(health.told.troubles == [UpstreamTrouble(.nameNotFound, at: "b.test:443", time: 11, "No name.")])
        #expect(health.isTroubled)
        health.answered(at: second, isReused: true, account: nil, time: 13)
        #expect(health.told == HealthOfAPI())
        #expect(!health.isTroubled)
    }

    @Test("A certificate that was refused is told until a new connection has a response")
    func certificate() {
        health.failed(.certificateRefused, at: first, time: 10, "No pin.")
        health.answered(at: first, isReused: true, account: nil, time: 11)
        #expect(health.told.troubles.count == 1)
        health.answered(at: first, isReused: false, account: nil, time: 11)
        #expect(!health.isTroubled)
    }

    @Test("What nobody asks for any more is forgotten after an hour")
    func forgotten() {
        health.failed(.nameNotFound, at: first, time: 10, "No name.")
        health.answered(at: second, isReused: true, account: nil, time: 3_610)
        #expect(health.isTroubled)
        health.answered(at: second, isReused: true, account: nil, time: 3_611)
        #expect(!health.isTroubled)
    }

    @Test("A refusal is told until a request of the same account succeeds")
    func refusal() {
        health.refused("alice", status: 401, time: 10, "Token refused.")
        health.answered(at: first, isReused: false, account: "bob", time: 11)
        health.answered(at: first, isReused: false, account: nil, time: 11)
        #expect(health.told.refusals == [RefusalTrouble(of: "alice", time: 10, status: 401, "Token refused.")])
        health.answered(at: first, isReused: false, account: "alice", time: 12)
        #expect(health.told.refusals.isEmpty)
    }

    @Test("Pins that only report are told until a certificate passes, or others count")
    func reports() {
        health.reported("No pin.", at: first, time: 10)
        health.answered(at: first, isReused: false, account: nil, time: 11)
        #expect(health.told.troubles.map(\.kind) == [.pinsReported])
        health.reported(nil, at: first, time: 12)
        #expect(health.told == HealthOfAPI())
        health.reported("No pin.", at: first, time: 13)
        health.policiesChanged()
        #expect(health.told == HealthOfAPI())
    }

    @Test("However many hosts and accounts fail, some are kept: the latest")
    func bounds() throws {
        for number in 0..<1_000 {
            let time = Int64(number)
            let host = try Authority(parsing: "h\(number).test:443", defaultPort: nil)
            health.failed(.unreachable, at: host, time: time, "")
            health.refused("\(number)", status: 401, time: time, "")
        }
        #expect(health.told.troubles.map(\.time) == Array((992..<1_000).reversed()))
        #expect(health.told.refusals.map(\.time) == Array((936..<1_000).reversed()))
    }
}
