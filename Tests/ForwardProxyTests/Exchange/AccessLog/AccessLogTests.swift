import Foundation
import NIOCore
import NIOEmbedded
import Settings
import Testing

@testable import ForwardProxy

@Suite("Access log lines")
struct AccessLogTests {
    private func lines(
        format: LogFormat,
        _ write: (AccessLog) -> Void
    ) throws -> String {
        let file = try LogFile()
        let clock = EmbeddedClock()
        let log = AccessLog(loop: clock.loop, clock: clock, format: format, sink: file.sink)
        write(log)
        log.flush()
        return try file.text()
    }

    private func append(
        to log: AccessLog,
        method: String = "GET",
        target: ByteBuffer? = ByteBuffer(string: "/a/b?oauth_token=secret"),
        authority: String = "api.test:443",
        status: Int? = 200,
        error: ProxyErrorToken? = nil,
        account: String? = "alice",
        client: String? = nil,
        outcome: String? = nil
    ) {
        var record = ExchangeRecord(start: .uptimeNanoseconds(0))
        record.status = status
        record.error = error
        record.requestBytes = 12
        record.responseBytes = 34
        log.append(
            RequestSummary(
                record: record,
                end: .uptimeNanoseconds(1_500_000),
                method: ByteBuffer(string: method),
                authority: authority,
                target: target,
                api: "twitter",
                account: account,
                client: client,
                outcome: outcome
            )
        )
    }

    @Test("A JSON line has the members of the request, and not its query")
    func writesJSON() throws {
        let text = try lines(format: .json) { append(to: $0) }
        #expect(text.hasSuffix("}\n"))
        #expect(!text.contains("secret"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["message"] as? String == "request")
        #expect(object["level"] as? String == "info")
        #expect(object["method"] as? String == "GET")
        #expect(object["authority"] as? String == "api.test:443")
        #expect(object["path"] as? String == "/a/b")
        #expect(object["status"] as? Int == 200)
        #expect(object["api"] as? String == "twitter")
        #expect(object["account"] as? String == "alice")
        #expect(object["request_bytes"] as? Int == 12)
        #expect(object["response_bytes"] as? Int == 34)
        #expect(object["duration_us"] is Int)
        #expect(object["time"] is String)
        #expect(object["error"] == nil)
        #expect(object["client"] == nil)
    }

    @Test("Whatever the target's bytes, a JSON line is one line of valid JSON")
    func writesHostileTarget() throws {
        let bytes: [UInt8] = Array("/\"\\".utf8) + [0xFF, 0x80, 0x7F, 0x01, 0x0A] + Array("?q".utf8)
        let text = try lines(format: .json) { append(to: $0, target: ByteBuffer(bytes: bytes)) }
        #expect(text.filter { $0 == "\n" }.count == 1)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let path = try #require(object["path"] as? String)
        #expect(path.hasPrefix("/\"\\"))
        #expect(!path.contains("?q"))
    }

    @Test("A long path is cut")
    func cutsPath() throws {
        let target = ByteBuffer(string: "/" + String(repeating: "x", count: 5000))
        let text = try lines(format: .json) { append(to: $0, target: target) }
        #expect(text.utf8.count < 1600)
    }

    @Test("A failure names its error, its client and its outcome")
    func writesFailure() throws {
        let text = try lines(format: .json) {
            append(to: $0, status: nil, error: .connectionTerminated, client: "billing", outcome: "upstream closed")
        }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["status"] == nil)
        #expect(object["error"] as? String == "connection_terminated")
        #expect(object["client"] as? String == "billing")
        #expect(object["outcome"] as? String == "upstream closed")
    }

    @Test("A text line reads from left to right, and holds no query either")
    func writesText() throws {
        let text = try lines(format: .text) { append(to: $0, error: .dnsError, outcome: "idle") }
        #expect(
            try
                #/\S+Z info request GET api\.test:443/a/b 200 api=twitter account=alice error=dns_error outcome="idle" in=12 out=34 us=\d+\n/#
                .wholeMatch(in: text) != nil
        )
    }

    @Test("A name that could pass for more of a text line is quoted in it")
    func quotesNames() throws {
        let text = try lines(format: .text) { append(to: $0, account: "root client=admin", client: "a\u{2028}\u{9B}b") }
        #expect(text.contains(#" account="root client=admin" client="a\u2028\u009bb" "#))
    }

    @Test("Bytes that could move a terminal's cursor or end the line are not in a text line")
    func printsOnlyPrintable() throws {
        let bytes: [UInt8] = Array(#"/a"\"#.utf8) + [0x1B, 0x0A, 0x20, 0xFF]
        let text = try lines(format: .text) { append(to: $0, target: ByteBuffer(bytes: bytes)) }
        #expect(text.contains(#"/a\"\\\u{1b}\u{a}\u{20}� 200 "#))
        #expect(text.filter { $0 == "\n" }.count == 1)
    }

    @Test("Lines are written in batches, after a short while")
    func batches() throws {
        let file = try LogFile()
        let clock = EmbeddedClock()
        let log = AccessLog(loop: clock.loop, clock: clock, format: .json, sink: file.sink)
        append(to: log)
        append(to: log)
        #expect(try file.text().isEmpty)
        clock.loop.advanceTime(by: .milliseconds(100))
        #expect(try file.text().filter { $0 == "\n" }.count == 2)
        append(to: log)
        clock.loop.advanceTime(by: .milliseconds(100))
        #expect(try file.text().filter { $0 == "\n" }.count == 3)
    }

    @Test("A full batch does not wait")
    func writesFullBatch() throws {
        let file = try LogFile()
        let clock = EmbeddedClock()
        let log = AccessLog(loop: clock.loop, clock: clock, format: .json, sink: file.sink)
        for _ in 0..<200 { append(to: log) }
        #expect(try !file.text().isEmpty)
    }

    @Test("Without a sink nothing is kept")
    func isOff() {
        let clock = EmbeddedClock()
        let log = AccessLog(loop: clock.loop, clock: clock, format: .json, sink: nil)
        append(to: log)
        #expect(!log.isOn)
    }
}
