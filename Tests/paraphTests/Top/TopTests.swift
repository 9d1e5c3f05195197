import Foundation
import Testing

@testable import paraph

@Suite("paraph top")
struct TopTests {
    private func request(
        _ id: Int,
        path: String = "/a",
        account: String = "default",
        status: String = "200",
        error: String? = nil,
        total: Int = 1_500,
        established: Int? = nil,
        client: String? = nil,
        begun: Int? = nil
    ) throws -> TopRequest {
        let error = error.map { "\"\($0)\"" } ?? "null"
        let json = """
            {"id":\(id),"sequence":\(id),"time":"2026-01-02T03:04:05.678Z","client":\(client.map { "\"\($0)\"" } ?? "null"),"address":"127.0.0.1","api":"twitter",
            "account":"\(account)","method":"GET","authority":"api.test:443","path":"\(path)","query":null,
            "status":\(status),"error":\(error),"cause":null,"details":null,"outcome":null,"request_bytes":0,"response_bytes":7,
            "times":{"total_us":\(total),"token_us":null,"established_us":\(established.map { "\($0)" } ?? "null")},"reused":true,"repeats":[],"trace_id":null,"begun":\(begun.map { "\($0)" } ?? "null")}
            """
        return try JSONDecoder().decode(TopRequest.self, from: Data(json.utf8))
    }

    @Test("A request is a line of columns")
    func line() throws {
        let line = TopLine(try request(1)).text(style: .plain)
        #expect(line == "03:04:05.678 200    1.5ms   GET     twitter/default    api.test/a")
        #expect(TopLine(try request(1, status: "null")).text(style: .plain).contains(" -      1.5ms"))
        #expect(TopLine(try request(1, error: "dns_error")).text(style: .terminal).hasPrefix("\u{1B}[1;31m"))
    }

    private func begun(_ number: Int, client: String? = nil) throws -> TopRequestInFlight {
        let json = """
            {"begun":\(number),"time":"2026-01-02T03:04:05.678Z","client":\(client.map { "\"\($0)\"" } ?? "null"),
            "address":null,"api":"twitter","account":"default","method":"GET","scheme":"https",
            "authority":"api.test:443","path":"/slow\(number)","query":null}
            """
        return try JSONDecoder().decode(TopRequestInFlight.self, from: Data(json.utf8))
    }

    @Test(
        "A target is shown without the port and the scheme that go without saying",
        arguments: [
            ("GET", "\"https\"", "a.test:443", "a.test/p?q=1"), ("GET", "\"https\"", "a.test:80", "a.test:80/p?q=1"),
            ("GET", "\"http\"", "a.test:80", "http://a.test/p?q=1"),
            ("GET", "\"http\"", "a.test:443", "http://a.test:443/p?q=1"), ("GET", "null", "a.test:443", "a.test/p?q=1"),
            ("CONNECT", "null", "a.test:443", "a.test:443"),
        ]
    )
    func targets(method: String, scheme: String, authority: String, target: String) throws {
        let json = """
            {"begun":1,"time":"2026-01-02T03:04:05.678Z","method":"\(method)","scheme":\(scheme),
            "authority":"\(authority)","path":"/p","query":"q=1"}
            """
        #expect(try JSONDecoder().decode(TopRequestInFlight.self, from: Data(json.utf8)).head.target == target)
    }

    @Test("Requests in flight stand last with the time so far, until they end")
    func inFlight() throws {
        var screen = TopScreen(address: "127.0.0.1:8081", filter: "")
        func shown(_ height: Int = 9) -> [String] {
            screen.lines(width: 200, height: height, at: .seconds(9), style: .plain).filter { $0.contains("api.test") }
        }
        screen.take(try begun(4), since: .seconds(2))
        screen.take(try begun(3), since: .seconds(1))
        screen.take(try request(1, path: "/done"), at: .seconds(1))
        #expect(
            shown() == [
                "03:04:05.678 200    1.5ms   GET     twitter/default    api.test/done",
                "03:04:05.678 ...    8.0s    GET     twitter/default    api.test/slow3",
                "03:04:05.678 ...    7.0s    GET     twitter/default    api.test/slow4",
            ]
        )
        #expect(shown(5).map { $0.hasSuffix("/slow3") } == [false, true], "half of the lines at most")
        #expect(screen.lines(width: 200, height: 9, at: .seconds(9), style: .plain)[0].contains("in flight 2"))
        screen.take(try request(2, path: "/slow3", begun: 3), at: .seconds(9))
        #expect(shown().map { $0.contains("...") } == [false, false, true])
        screen.take(try begun(5), since: .seconds(9))
        screen.review([], known: 4)
        #expect(shown().last?.contains("/slow5") == true && shown().count == 3)
        _ = screen.press(UInt8(ascii: "p"))
        screen.take(try request(3, path: "/slow5", begun: 5), at: .seconds(9))
        #expect(shown().last?.contains("...") == true, "what is paused stays")
        _ = screen.press(UInt8(ascii: "p"))
        #expect(shown().allSatisfy { !$0.contains("...") } && shown().count == 3)
    }

    @Test("There is a column of clients where some are configured")
    func clients() throws {
        var screen = TopScreen(address: "127.0.0.1:8081", filter: "")
        screen.take(try request(1), at: .zero)
        #expect(!screen.lines(width: 200, height: 9, at: .zero, style: .plain)[1].contains("CLIENT"))
        screen.take(try request(2, client: "billing"), at: .zero)
        screen.take(try begun(3, client: "a-client-with-a-long-name"), since: .zero)
        let lines = screen.lines(width: 200, height: 9, at: .zero, style: .plain)
        #expect(lines[1] == "TIME         STATUS TOOK    METHOD  CLIENT     API/ACCOUNT        REQUEST")
        #expect(lines[2].contains(" GET     -          twitter/default"))
        #expect(lines[3].contains(" GET     billing    twitter/default"))
        #expect(lines[4].contains(" GET     a-client-… twitter/default"))
    }

    @Test("The age of a request is told by the clock, and never less than nothing")
    func age() throws {
        let request = try begun(1)
        let start = try #require(
            try? Date("2026-01-02T03:04:05.678Z", strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        )
        #expect(request.age(at: start.addingTimeInterval(2)) == .seconds(2))
        #expect(request.age(at: start.addingTimeInterval(-2)) == .zero)
    }

    @Test("Where there is no terminal, nothing is cut")
    func uncut() throws {
        let line = TopLine(try request(1, account: String(repeating: "a", count: 60))).text(style: .plain)
        #expect(line.contains(" twitter/\(String(repeating: "a", count: 60)) api.test/a"))
        #expect(
            TopLine(try request(1, account: "1234567890AB")).text(width: 80, style: .plain).contains(
                " twitter/123456789… "
            )
        )
    }

    @Test("Why no request is printed")
    func remark() throws {
        #expect(Top.remark([], filter: "")?.contains("inspector: {keep: on}") == true)
        let remark = Top.remark([try request(1), try request(2)], filter: "nothing")
        #expect(remark?.hasPrefix("none of the requests that are kept (2) matches") == true)
        #expect(try Top.remark([request(1)], filter: "twitter") == nil)
    }

    @Test("What others wrote does not reach the terminal as control sequences")
    func escapes() throws {
        let request = try request(1, path: "/\\u001b[2J\\u202e\\nx")
        let line = TopLine(request).text(width: 200, style: .plain)
        #expect(line.hasSuffix("api.test/\\u{1b}[2J\\u{202e}\\u{a}x"))
        var screen = TopScreen(address: "127.0.0.1:8081", filter: "")
        screen.take(request, at: .zero)
        let text = screen.lines(width: 200, height: 10, at: .zero, style: .plain).joined()
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
    }

    @Test(
        "Durations are rounded, and take at most seven characters",
        arguments: [
            (0, "0µs"), (999, "999µs"), (1_000, "1.0ms"), (1_050, "1.1ms"), (99_949, "99.9ms"), (99_950, "100ms"),
            (100_500, "101ms"), (999_499, "999ms"), (999_500, "1.0s"), (1_000_000, "1.0s"), (1_960_000, "2.0s"),
            (99_949_999, "99.9s"), (99_950_000, "100s"), (86_400_000_000, "86400s"),
        ]
    )
    func durations(microseconds: Int, text: String) {
        #expect(TopRequestHead.duration(microseconds) == text)
        #expect(text.count <= 7)
    }

    @Test(
        "A filter's words are all in the request, but for those behind a minus sign",
        arguments: [
            ("", true), ("TWITTER", true), ("twitter get", true), ("twitter post", false), ("-twitter", false),
            ("-post", true), ("404", true), ("-", false), ("/a b", false), ("/a", true),
        ]
    )
    func filter(text: String, matches: Bool) throws {
        #expect(try request(1, status: "404").matches(text) == matches)
    }

    @Test(
        "The screen is as large as the terminal, the newest request last",
        arguments: [(1, 1), (20, 3), (80, 6), (200, 30)]
    )
    func size(width: Int, height: Int) throws {
        var screen = TopScreen(address: "127.0.0.1:8081", filter: "")
        for id in 1...9 { screen.take(try request(id, path: "/\(id)"), at: .seconds(1)) }
        let lines = screen.lines(width: width, height: height, at: .seconds(1), style: .plain)
        #expect(lines.count == height)
        #expect(lines.allSatisfy { $0.count <= width })
        if width >= 80 { #expect(lines.last { $0.contains("api.test") }?.hasSuffix("/9") == true) }
    }

    @Test("A tunnel is among the times with the one until it stood")
    func tunnels() throws {
        var screen = TopScreen(address: "127.0.0.1:8081", filter: "")
        screen.take(try request(1, total: 2_000), at: .zero)
        screen.take(try request(2, total: 60_000_000, established: 3_000), at: .zero)
        let lines = screen.lines(width: 200, height: 9, at: .zero, style: .plain)
        #expect(lines[0].hasSuffix("  p50 2.0ms  p95 3.0ms"))
        #expect(lines.contains { $0.contains(" 60.0s ") })
    }

    @Test("The numbers are of the last ten seconds, with what the stream left out")
    func numbers() throws {
        var screen = TopScreen(address: "127.0.0.1:8081", filter: "")
        screen.begin(with: [try request(1)])
        screen.take(try request(1), at: .seconds(1))
        screen.take(try request(2, total: 1_000), at: .seconds(1))
        screen.take(try request(12, status: "503", error: "dns_error", total: 3_000), at: .seconds(8))
        let first = screen.lines(width: 200, height: 9, at: .seconds(9), style: .plain)
        #expect(first[0] == "paraph top  127.0.0.1:8081  1.1/s  2xx 1  5xx 1  by the proxy 1  p50 1.0ms  p95 3.0ms")
        #expect(first.count { $0.contains("api.test") } == 3)
        let later = screen.lines(width: 200, height: 9, at: .seconds(30), style: .plain)
        #expect(later[0] == "paraph top  127.0.0.1:8081  0.0/s")
        #expect(later.count { $0.contains("api.test") } == 3)
    }

    @Test("Keys filter, pause, clear and quit")
    func keys() throws {
        var screen = TopScreen(address: "127.0.0.1:8081", filter: "")
        func shown() -> Int {
            screen.lines(width: 200, height: 20, at: .zero, style: .plain).count { $0.contains("api.test") }
        }
        func press(_ text: String) -> Bool { text.utf8.map { screen.press($0) }.contains(true) }
        screen.take(try request(1, path: "/one"), at: .zero)
        screen.take(try request(2, path: "/two"), at: .zero)
        #expect(!press("/onq\u{7F}e\r"))
        #expect(shown() == 1)
        #expect(!press("\u{1B}"))
        #expect(shown() == 2)
        #expect(!press("p"))
        screen.take(try request(3), at: .zero)
        #expect(shown() == 2)
        #expect(!press("p"))
        #expect(shown() == 3)
        #expect(!press("c"))
        #expect(shown() == 0)
        #expect(press("q"))
    }

    @Test("Text is cut and filled up by the columns that it takes")
    func columns() {
        #expect(TextColumns.pad("abc", to: 5) == "abc  ")
        #expect(TextColumns.pad("abcdef", to: 5) == "abcd…")
        #expect(TextColumns.pad("日本語", to: 5) == "日本…")
        #expect(TextColumns.pad("日本語x", to: 4) == "日… ")
        #expect(TextColumns.cut("日本語", to: 3) == "日")
    }
}
