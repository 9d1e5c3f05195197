import Logging
import NIOCore
import Synchronization
import Testing

@testable import paraph

@Suite("The log of paraph exec")
struct ExecLogHandlerTests {
    @Test("has its line breaks, and whatever else a terminal would obey escaped, until the gate is closed")
    func escaped() {
        let written = Mutex("")
        let gate = ExecLogHandler.Gate { line in written.withLock { $0 += String(buffer: line) } }
        let logger = Logger(label: "test") { _ in ExecLogHandler(level: .info, gate: gate) }
        logger.info("said", metadata: ["reason": "a \"b\"\nparaph: c\r\u{1B}[2J"])
        gate.close()
        logger.info("more")
        #expect(written.withLock { $0 } == "paraph: said (reason: a \"b\"\n    paraph: c\\u{d}\\u{1b}[2J)\n")
    }
}
