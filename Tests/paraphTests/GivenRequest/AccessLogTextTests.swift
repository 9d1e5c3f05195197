import Bytes
import Credentials
import Testing

@testable import paraph

@Suite("A line of the access log as a request")
struct AccessLogTextTests {
    private static let json =
        #"{"time":"2026-11-27T18:49:50.123Z","level":"info","message":"request","method":"POST","authority":"api.example.com:8443","path":"/r","query":"a=1","status":401,"api":"pictures","account":"al/ice","request_bytes":7,"duration_us":9}"#
    private static let text =
        "18:49:50.123Z 200 GET       182ms   1.2kB  pictures/alice        api.example.com/1.1/s.json  token=20ms in=7B"

    private func read(_ text: String, entry: Int? = nil) throws -> GivenRequest {
        try RequestText.request(Array(text.utf8), entry: entry)
    }

    @Test("One in JSON has method, host, path, query and account")
    func inJSON() throws {
        let request = try read(Self.json + "\n")
        #expect(request.format == .accessLog && request.method == "POST")
        #expect(request.target == "https://api.example.com:8443/r?a=1")
        #expect(request.account == CredentialName(api: "pictures", account: "al/ice"))
        #expect(request.notes.count == 2 && !request.notes[0].contains("query"))
        #expect(try #require(request.missingBody).contains("7 bytes"))
    }

    @Test(
        "One of text has them, too, with and without a date, colours and escapes",
        arguments: [
            (text, "https://api.example.com/1.1/s.json", CredentialName(api: "pictures", account: "alice")),
            (
                "2026-11-27T" + text, "https://api.example.com/1.1/s.json",
                CredentialName(api: "pictures", account: "alice")
            ),
            (
                "\u{1B}[2m18:49:50.123Z\u{1B}[0m \u{1B}[32m200\u{1B}[0m GET 9us 0B  -  h/a\\u{20}b?c=\\u{e9}\\\\",
                "https://h/a b?c=é\\", nil
            ),
            (
                #"18:49:50.123Z 502 GET 9us 0B  -  h/\"a?x=1  error=dns_error details="The \"name\" in=3B""#,
                "https://h/\"a?x=1", nil
            ),
            (
                #"18:49:50.123Z - GET 9us 0B  "a b"/"c\"/d"  h/x"#, "https://h/x",
                CredentialName(api: "a b", account: "c\"/d")
            ),
        ]
    )
    func asText(line: String, target: String, account: CredentialName?) throws {
        let request = try read(line)
        #expect(request.format == .accessLog && request.method == "GET" && request.target == target)
        #expect(request.account == account)
    }

    @Test(
        "One is read behind what collects lines, too",
        arguments: [
            "Nov 28 01:00:00 host paraph[12]: ", "paraph-1  | ", "2026-11-28T01:00:00+0000 host paraph[12]: ",
        ]
    )
    func collected(prefix: String) throws {
        for line in [Self.json, Self.text] {
            let request = try read(prefix + line)
            #expect(request.format == .accessLog)
            #expect(request.account?.api == "pictures")
        }
    }

    @Test("One is read out of the JSON that docker and the journal wrap it in", arguments: ["log", "MESSAGE"])
    func wrapped(name: String) throws {
        for line in [Self.json + "\n", Self.text] {
            let text = JSONText.object([(name, .string(line)), ("stream", .string("stderr"))]).line
            #expect(try read(text).account?.api == "pictures")
        }
    }

    @Test("One of something else is told as that")
    func otherMessage() {
        #expect(throws: GivenRequestError.otherLogLine("stopped")) {
            try read(#"{"time":"2026-11-27T18:49:50.123Z","level":"info","message":"stopped"}"#)
        }
    }

    @Test("What is missing, was left out or was cut is told")
    func missing() throws {
        let line = Self.text.replacing("s.json", with: "token=…")
        let request = try read(line)
        let notes = request.notes.joined(separator: "\n")
        #expect(notes.contains("log: {query: on}") && notes.contains(GivenRequest.noteOnHiddenValues))
        #expect(try #require(request.missingBody).contains("7B"))
        let cut = Self.text.replacing("GET    ", with: "PROPFI…")
        #expect(try read(cut).notes.joined().contains("The method was cut"))
        let long = Self.text.replacing("s.json", with: String(repeating: "x", count: 1024))
        #expect(try read(long).notes.joined().contains("was cut"))
    }

    @Test("One of several lines is chosen, and those of other things do not count")
    func several() throws {
        let other = #"{"time":"2026-11-27T18:49:50.123Z","level":"info","message":"listening"}"#
        #expect(try read([other, Self.json, other].joined(separator: "\n")).method == "POST")
        let both = [Self.json, other, Self.text].joined(separator: "\n")
        #expect(try read(both, entry: 2).method == "GET")
        let error = #expect(throws: GivenRequestError.self) { try read(both) }
        #expect(try #require(error).description.contains("2 requests"))
    }

    @Test(
        "What is none of the formats is told with its first line",
        arguments: ["wget https://h/", "hello\nworld", "\u{1B}[31mGET /", "[1]", "18:49:50.123Z 200 GET", "curly x"]
    )
    func unknown(text: String) throws {
        let error = try #require(#expect(throws: GivenRequestError.self) { try read(text) })
        guard case .unknownFormat = error else {
            Issue.record("\(error)")
            return
        }
        let sentence = error.description
        #expect(!sentence.contains("\u{1B}"))
    }

    @Test("Nothing, and too much, is told")
    func bounds() {
        #expect(throws: GivenRequestError.empty) { try read(" \n") }
        let large = [UInt8](repeating: UInt8(ascii: "x"), count: RequestText.limit + 1)
        #expect(throws: GivenRequestError.tooLarge(limit: RequestText.limit)) { try RequestText.request(large) }
    }
}
