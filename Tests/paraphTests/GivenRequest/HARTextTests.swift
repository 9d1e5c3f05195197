import Testing

@testable import paraph

@Suite("A request of an HTTP Archive")
struct HARTextTests {
    private static let entry = """
        {"startedDateTime": "2026-11-27T18:49:50Z", "request": {"method": "POST", "url": "https://api.example.com/r?a=1",
        "httpVersion": "h2", "headers": [{"name": ":authority", "value": "api.example.com"}, {"name": "content-type",
        "value": "application/x-www-form-urlencoded"}, {"name": "authorization", "value": "OAuth x=\\"y\\""}],
        "queryString": [{"name": "a", "value": "1"}], "headersSize": -1, "bodySize": 7,
        "postData": {"mimeType": "application/x-www-form-urlencoded", "text": "b=2&c=é"}}, "response": {"status": 401}}
        """
    private static let second = #"{"request": {"method": "GET", "url": "https://h/\u001b[31m"}}"#

    private func read(_ text: String, entry: Int? = nil) throws -> GivenRequest {
        try RequestText.request(Array(text.utf8), entry: entry)
    }

    @Test("A file, an entry and a request are read alike")
    func whole() throws {
        let entry = Self.entry
        let request = try #require(entry.firstRange(of: "\"request\": ")).upperBound
        let bare = String(
            entry[request...].prefix(upTo: try #require(entry.firstRange(of: ", \"response\"")).lowerBound)
        )
        for text in [
            entry, "{\"log\": {\"version\": \"1.2\", \"entries\": [\(entry)]}}", "\u{FEFF}\n{\"entries\":[\(entry)]}",
            bare,
        ] {
            let request = try read(text)
            #expect(
                request.format == .har && request.method == "POST" && request.target == "https://api.example.com/r?a=1"
            )
            #expect(request.fields.map(\.name) == ["content-type", "authorization"])
            #expect(request.body == Array("b=2&c=é".utf8) && request.missingBody == nil && request.notes.isEmpty)
        }
    }

    @Test("One of several entries is chosen by its number")
    func several() throws {
        let text = "{\"log\": {\"entries\": [\(Self.entry), \(Self.second)]}}"
        #expect(try read(text, entry: 2).method == "GET")
        let error = #expect(throws: GivenRequestError.self) { try read(text) }
        let sentence = try #require(error).description
        #expect(
            sentence.contains("2 requests") && sentence.contains("\n  1  POST https://api.example.com/r?a=1\n  2  GET")
        )
        #expect(sentence.contains(#"\u{1b}"#) && !sentence.contains("\u{1b}"))
        #expect(throws: GivenRequestError.noEntry(3, count: 2)) { try read(text, entry: 3) }
        #expect(throws: GivenRequestError.noEntry(0, count: 2)) { try read(text, entry: 0) }
        #expect(throws: GivenRequestError.empty) { try read(#"{"log": {"entries": []}}"#) }
    }

    @Test(
        "The body is the text, or the params where that is missing; one that is not there is told",
        arguments: [
            (#""text": "a=b", "encoding": "base64""#, "a=b"), (#""text": "YT1i", "encoding": "base64""#, "a=b"),
            (#""params": [{"name": "a b", "value": "c&d"}, {"name": "e"}]"#, "a%20b=c%26d&e="),
            (#""text": """#, nil),
        ]
    )
    func body(data: String, body: String?) throws {
        let type = "application/x-www-form-urlencoded"
        let text =
            #"{"method": "POST", "url": "https://h/", "bodySize": 3, "postData": {"mimeType": "\#(type)", \#(data)}}"#
        let request = try read(text)
        #expect(request.fieldValue("Content-Type") == type)
        #expect(request.body.map { String(decoding: $0, as: UTF8.self) } == body)
        #expect((request.missingBody == nil) == (body != nil))
    }

    @Test("Values that were left out when it was written are told")
    func hidden() throws {
        let text = #"{"method": "GET", "url": "https://h/?access_token=…", "headers": []}"#
        #expect(try read(text).notes == [GivenRequest.noteOnHiddenValues])
    }

    @Test(
        "What is malformed is told with its place",
        arguments: [
            (#"{"log": {"entries": [{"request": {"method": "GET"}}]}}"#, "log.entries[0].request.url"),
            (#"{"log": {}}"#, "log.entries"), (#"{"a": 1}"#, "method"),
            (#"{"method": 1, "url": ""}"#, "method is of another"),
            ("{\"method\":\n \"GET\", \"url\": }", "line 2, byte 16"), ("{", "ends in the middle"),
            (#"{"log": {}} x"#, "line 1, byte 13"),
        ]
    )
    func malformed(text: String, words: String) throws {
        let error = #expect(throws: GivenRequestError.self) { try read(text) }
        #expect(try #require(error).description.contains(words), "\(String(describing: error))")
    }
}
