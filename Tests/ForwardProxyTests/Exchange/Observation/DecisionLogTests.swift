import Inspection
import Logging
import Testing

@testable import ForwardProxy

@Suite("The log lines about requests beside that of the access log")
struct DecisionLogTests {
    @Test(
        "are written from debug on, and heads at trace alone",
        arguments: [nil, .info, .debug, .trace] as [Logger.Level?]
    )
    func levels(level: Logger.Level?) {
        let log = DecisionLog(logger: Logger(label: "test"), level: level, apis: [], journal: RequestJournal())
        #expect(log.tellsDecisions == (level == .debug || level == .trace))
        #expect(log.tellsHeads == (level == .trace))
    }
}
