import Bytes
import Foundation
import HTTP1Codec
import NIOCore
import NIOEmbedded
import OpenTelemetry
import Settings
import Testing

@testable import ForwardProxy

@Suite("Access log lines")
struct AccessLogTests {
    private func lines(
        style: LogStyle,
        includesQuery: Bool = false,
        _ write: (AccessLog) -> Void
    ) throws -> String {
        let file = try CapturedLog()
        let clock = EmbeddedClock()
        let output = AccessLogOutput(sink: file.sink, style: style, includesQuery: includesQuery)
        let log = AccessLog(loop: clock.loop, clock: clock, output: output)
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
        outcome: String? = nil,
        _ change: (inout RequestSummary) -> Void = { _ in }
    ) {
        var record = ExchangeRecord(start: .uptimeNanoseconds(0))
        record.status = status
        record.error = error
        record.requestBytes = 12
        record.responseBytes = 34
        var summary = RequestSummary(
            record: record,
            end: .uptimeNanoseconds(1_500_000),
            method: ByteBuffer(string: method),
            authority: authority,
            scheme: .https,
            target: target,
            api: "twitter",
            account: account,
            client: client,
            outcome: outcome
        )
        change(&summary)
        log.append(summary)
    }

    /// Makes the record one of a request that went out on a connection of its own.
    private func connect(_ record: inout ExchangeRecord) {
        record.connectTimes = ConnectTimes(name: .microseconds(10), tcp: .microseconds(20), tls: .microseconds(270))
        record.firstByte = .milliseconds(1)
        record.established = .microseconds(1100)
        record.isReused = false
        record.upstreamProtocol = "http/1.1"
    }

    @Test(
        "The authority is without the port that its scheme has by default; a tunnel's is with its port",
        arguments: [
            ("api.test:443", .https, "api.test"), ("api.test:80", .http, "api.test"),
            ("api.test:80", .https, "api.test:80"),
            ("api.test:8443", .https, "api.test:8443"), ("api.test:443", nil, "api.test:443"),
            ("[::1]:443", .https, "[::1]"),
        ] as [(String, URIScheme?, String)]
    )
    func authority(authority: String, scheme: URIScheme?, shown: String) throws {
        let json = try lines(style: .json) { append(to: $0, authority: authority) { $0.scheme = scheme } }
        #expect(json.contains("\"authority\":\"\(shown)\","))
        let text = try lines(style: .text) { append(to: $0, authority: authority) { $0.scheme = scheme } }
        #expect(text.contains("  \(shown)/a/b "))
    }

    @Test(
        "The authority of a refused request is what it named, in the same form",
        arguments: [
            ("GET / HTTP/1.1\r\nHost: API.test:443", "api.test"),
            ("GET http://API.test:80/x HTTP/1.1\r\nHost: b", "api.test"),
            ("GET http://API.test:443 HTTP/1.1\r\nHost: b", "api.test:443"), ("GET /x HTTP/1.1\r\nHost: A..b", "a..b"),
            ("CONNECT API.test:443 HTTP/1.1\r\nHost: b", "api.test:443"),
        ]
    )
    func namedAuthority(head: String, shown: String) throws {
        let (text, scheme) = try requestHead(head + "\n\n").namedAuthority()
        var summary = RequestSummary(
            record: ExchangeRecord(start: .uptimeNanoseconds(0)),
            end: .uptimeNanoseconds(0),
            method: ByteBuffer(),
            authority: text
        )
        summary.scheme = scheme
        #expect(summary.shownAuthority == shown)
    }

    @Test("A JSON line has the members of the request, and not its query")
    func writesJSON() throws {
        let text = try lines(style: .json) { append(to: $0) }
        #expect(text.hasSuffix("}\n"))
        #expect(!text.contains("secret"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["message"] as? String == "request")
        #expect(object["level"] as? String == "info")
        #expect(object["method"] as? String == "GET")
        #expect(object["authority"] as? String == "api.test")
        #expect(object["path"] as? String == "/a/b")
        #expect(object["status"] as? Int == 200)
        #expect(object["api"] as? String == "twitter")
        #expect(object["account"] as? String == "alice")
        #expect(object["request_bytes"] as? Int == 12)
        #expect(object["response_bytes"] as? Int == 34)
        #expect(object["duration_us"] as? Int == 1500)
        #expect(object["time"] is String)
        #expect(object["error"] == nil)
        #expect(object["client"] == nil)
    }

    @Test("A JSON line is one line of valid JSON, whatever the target's bytes")
    func writesHostileTarget() throws {
        let bytes: [UInt8] = Array("/\"\\".utf8) + [0xFF, 0x80, 0x7F, 0x01, 0x0A] + Array("?q".utf8)
        let text = try lines(style: .json) { append(to: $0, target: ByteBuffer(bytes: bytes)) }
        #expect(text.filter { $0 == "\n" }.count == 1)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let path = try #require(object["path"] as? String)
        #expect(path.hasPrefix("/\"\\"))
        #expect(!path.contains("?q"))
    }

    @Test("A long path is cut")
    func cutsPath() throws {
        let target = ByteBuffer(string: "/" + String(repeating: "x", count: 5000))
        let text = try lines(style: .json) { append(to: $0, target: target) }
        #expect(text.utf8.count < 1600)
    }

    @Test("A failure names its error, its client and its outcome")
    func writesFailure() throws {
        let text = try lines(style: .json) {
            append(to: $0, status: nil, error: .connectionTerminated, client: "billing", outcome: "upstream closed")
        }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["status"] == nil)
        #expect(object["error"] as? String == "connection_terminated")
        #expect(object["client"] as? String == "billing")
        #expect(object["outcome"] as? String == "upstream closed")
    }

    @Test("A JSON line has the members of which there is something to say, in the units of their names")
    func writesMembers() throws {
        let text = try lines(style: .json) { log in
            append(to: log) { summary in
                summary.address = IPAddress("::ffff:192.0.2.7")
                summary.version = .http2
                summary.traceParent = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".utf8)
                summary.traceState = "vendor=value, token=abcdef,b=\"1\"\u{7F}" + String(repeating: "x", count: 600)
                summary.record.waitedForToken(.milliseconds(2), since: summary.record.start)
                summary.record.waitedForConnection(.microseconds(300), since: summary.record.start)
                connect(&summary.record)
                summary.record.repeats = [.tokenRefused, .timestampRefused]
                summary.record.diagnosis = "token_refused"
                summary.record.details = "Token refused"
            }
        }
        let members =
            #","address":"192.0.2.7","protocol":"h2","upstream_protocol":"http/1.1","diagnosis":"token_refused""#
        #expect(text.contains(members))
        let causes = [ExchangeStateMachine.RepeatCause.tokenRefused, .timestampRefused].map { "\"\($0.rawValue)\"" }
        let end =
            #","duration_us":1500,"token_us":2000,"connection_us":300,"name_us":10,"tcp_us":20,"tls_us":270,"#
            + #""first_byte_us":1000,"established_us":1100,"reused":false,"repeats":[\#(causes.joined(separator: ","))],"#
            + #""trace_id":"4bf92f3577b34da6a3ce929d0e0e4736","#
            + #""trace_state":"vendor=value, token=…,b=\"1\"\\u{7f}xxx"#
        #expect(text.contains(end), "\(text)")
        #expect(text.hasSuffix("xxx…\"}\n") && text.count { $0 == "x" } < 512, "\(text)")
    }

    @Test("Several fields of a trace's state are one; of several traces there is none")
    func traceFields() throws {
        let parents = ["4bf92f3577b34da6a3ce929d0e0e4736", "0af7651916cd43dd8448eb211c80319c"].map {
            "traceparent: 00-\($0)-00f067aa0ba902b7-01\n"
        }
        let states = "tracestate: a=1, b=2\ntracestate:\nTraceState: c=3\n"
        let head = try requestHead("GET / HTTP/1.1\nHost: a\n\(parents[0])\(states)\n")
        #expect(head.traceParent.map { "\($0.traceID)" } == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(head.traceState == "a=1, b=2,c=3")
        let ambiguous = try requestHead("GET / HTTP/1.1\nHost: a\n\(parents[0])\(parents[1])\(states)\n")
        #expect(ambiguous.traceParent == nil && ambiguous.traceState == nil)
    }

    @Test("A value that could not be read has no member in JSON, and a dash in text")
    func unreadable() throws {
        func write(to log: AccessLog) { append(to: log, method: "", target: nil, authority: "", status: 400) }
        let json = try lines(style: .json, write)
        #expect(json.contains(#","message":"request","status":400,"#), "\(json)")
        let text = try lines(style: .text, write)
        #expect(text.contains(" 400 -  ") && text.contains("/alice         -  in="), "\(text)")
        let dash = try lines(style: .json) { append(to: $0, method: "-") }
        #expect(dash.contains(#""method":"-","#))
    }

    @Test("A long method leaves the columns where they are")
    func longMethod() throws {
        let short = try lines(style: .text) { append(to: $0, method: "GET") }
        let long = try lines(style: .text) { append(to: $0, method: "PROPFINDALL") }
        #expect(long.contains(" PROPFI… "), "\(long)")
        let columns = [short, long].map { Array($0).firstRange(of: Array("api.test"))?.lowerBound }
        #expect(columns[0] == columns[1])
    }

    @Test(
        "What may be a secret in a path is left out",
        arguments: [
            ("/token/CANARYcanary1", "/token/…"), ("/bot123456:CANARYcanary1/getMe", "/…/getMe"),
            ("/reset-password/CANARY1", "/reset-password/…"), ("/a/token%3DCANARY/b", "/a/…/b"),
            ("/%74oken/CANARYcanary1", "/%74oken/…"), ("/users/12/Tokens/2b", "/users/12/Tokens/…"),
            ("/1.1/users/Ada2/show.json", "/1.1/users/Ada2/show.json"),
        ]
    )
    func redactsPath(target: String, shown: String) throws {
        for style in [LogStyle.json, .text] {
            let line = try lines(style: style) { append(to: $0, target: ByteBuffer(string: target)) }
            #expect(line.contains(style == .json ? #""path":"\#(shown)""# : "api.test\(shown) "), "\(line)")
        }
    }

    @Test("The query is there where it is asked for, without what may be a secret")
    func writesQuery() throws {
        let target = ByteBuffer(string: "/a?q=x&access_token=secret;sig=secret&page=2")
        for style in [LogStyle.json, .text] {
            let without = try lines(style: style) { append(to: $0, target: target) }
            #expect(!without.contains("page") && !without.contains("secret"))
        }
        let json = try lines(style: .json, includesQuery: true) { append(to: $0, target: target) }
        #expect(json.contains(#""path":"/a","query":"q=x&access_token=…;sig=…&page=2","#), "\(json)")
        let text = try lines(style: .text, includesQuery: true) { append(to: $0, target: target) }
        #expect(text.contains("/a?q=x&access_token=…;sig=…&page=2  "), "\(text)")
        let none = try lines(style: .json, includesQuery: true) { append(to: $0, target: ByteBuffer(string: "/a")) }
        #expect(!none.contains("query"))
    }

    @Test(
        "A path shows nothing that may be a secret",
        arguments: ["/token/ABC123/x", "/a;token=ABC123", "/bot1:ABC123"]
    )
    func leavesSecretsOutOfPaths(path: String) throws {
        for style in [LogStyle.json, .text] {
            let lines = try lines(style: style) { append(to: $0, target: ByteBuffer(string: path)) }
            #expect(!lines.contains("ABC123") && lines.contains("…"), "\(lines)")
        }
    }

    @Test("A text line has columns, and then what is told of this request")
    func writesText() throws {
        let text = try lines(style: .text) { append(to: $0, error: .dnsError, outcome: "idle") }
        let columns = #/\S+T\S+Z 200 GET      1\.5ms    34B  twitter\/alice         api\.test\/a\/b/#
        #expect(try columns.prefixMatch(in: text) != nil, "\(text)")
        #expect(text.hasSuffix("/b  error=dns_error outcome=idle in=12B\n"), "\(text)")
    }

    @Test("A text line tells of the connection, too")
    func writesConnection() throws {
        let text = try lines(style: .text) { log in
            append(to: log) { summary in
                summary.version = .http2
                summary.record.connection = ExchangeRecord.Wait(begin: .uptimeNanoseconds(0), time: .microseconds(300))
                connect(&summary.record)
            }
        }
        let end =
            "  connect=300us name=10us tcp=20us tls=270us first_byte=1.0ms established=1.1ms connection=new protocol=h2"
            + " upstream=http/1.1 in=12B\n"
        #expect(text.hasSuffix(end), "\(text)")
        let reused = try lines(style: .text) { append(to: $0) { $0.record.isReused = true } }
        #expect(reused.hasSuffix("/b  connection=reused in=12B\n"), "\(reused)")
    }

    @Test("The columns of short and long values begin at the same places, on a terminal after the time of day")
    func alignsColumns() throws {
        let text = try lines(style: .terminal(isColoured: false)) { log in
            append(to: log, method: "DELETE", status: nil, account: nil)
            append(to: log, account: "é") { $0.record.responseBytes = 123_456 }
        }
        let lines = text.split(separator: "\n")
        #expect(lines.count == 2)
        for line in lines {
            #expect(line.dropFirst(12).hasPrefix("Z "))
            let authority = line.firstRange(of: "api.test")?.lowerBound ?? line.endIndex
            #expect(line.distance(from: line.startIndex, to: authority) == 63)
        }
        #expect(lines[0].contains("Z   - DELETE "))
        #expect(lines[1].contains(" 123kB  twitter/"))
    }

    @Test("Colours are in the lines for a terminal that shows them, and nowhere else")
    func colours() throws {
        let plain: [LogStyle] = [.json, .text, .terminal(isColoured: false)]
        for style in plain { #expect(try !lines(style: style) { append(to: $0, error: .dnsError) }.contains("\u{1B}")) }
        let coloured = try lines(style: .terminal(isColoured: true)) { append(to: $0, error: .dnsError) }
        #expect(coloured.contains("\u{1B}[32m200\u{1B}[0m"))
        let without = coloured.replacing(#/\u{1B}\[\d+m/#, with: "")
        #expect(try without == lines(style: .terminal(isColoured: false)) { append(to: $0, error: .dnsError) })
    }

    @Test(
        "Times and sizes keep within their columns",
        arguments: [0, 9, 999, 1000, 9_999, 10_000, 999_999, 1_000_000, 59_999_999]
    )
    func fitsColumns(number: Int) {
        #expect(TextAccessLine.time(.microseconds(Int64(number))).count <= 6)
        #expect(TextAccessLine.size(number).count <= 6)
    }

    @Test("A name that could pass for more of a text line is quoted in it")
    func quotesNames() throws {
        let text = try lines(style: .text) { append(to: $0, account: "root client=admin", client: "a\u{2028}\u{9B}b") }
        #expect(text.contains(#"twitter/"root client=admin" "#))
        #expect(text.contains(#" client="a\u2028\u009bb""#))
    }

    @Test("Bytes that could move a terminal's cursor or end the line are not in a text line")
    func printsOnlyPrintable() throws {
        let bytes: [UInt8] = Array(#"/a"\"#.utf8) + [0x1B, 0x0A, 0x20, 0xFF]
        let text = try lines(style: .text) { append(to: $0, target: ByteBuffer(bytes: bytes)) }
        #expect(text.contains(#"/a\"\\\u{1b}\u{a}\u{20}�  in=12B"#))
        #expect(text.filter { $0 == "\n" }.count == 1)
    }

    @Test("Lines are written in batches, after a short while")
    func batches() throws {
        let file = try CapturedLog()
        let clock = EmbeddedClock()
        let log = AccessLog(loop: clock.loop, clock: clock, output: AccessLogOutput(sink: file.sink))
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
        let file = try CapturedLog()
        let clock = EmbeddedClock()
        let log = AccessLog(loop: clock.loop, clock: clock, output: AccessLogOutput(sink: file.sink))
        for _ in 0..<200 { append(to: log) }
        #expect(try !file.text().isEmpty)
    }

    @Test("Without a sink nothing is kept")
    func isOff() {
        let clock = EmbeddedClock()
        let log = AccessLog(loop: clock.loop, clock: clock, output: nil)
        append(to: log)
        #expect(!log.isOn)
    }
}
