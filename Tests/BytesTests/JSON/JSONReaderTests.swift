import Testing

@testable import Bytes

/// The documents are in the words of RFC 8259.
@Suite("Documents of JSON")
struct JSONReaderTests {
    private static func text(_ text: String) -> JSONString.Decoded {
        JSONString.Decoded(text: text, form: .text)
    }

    /// Returns the events up to the end or to the fault.
    private static func read(
        _ bytes: [UInt8],
        deepest: Int = 64,
        allowsMalformedStrings: Bool = false
    ) -> (events: [JSONReader.Event], fault: JSONReader.Fault?) {
        var reader = JSONReader(bytes, deepest: deepest, allowsMalformedStrings: allowsMalformedStrings)
        var events: [JSONReader.Event] = []
        do throws(JSONReader.Fault) {
            while let event = try reader.next() { events.append(event) }
            return (events, nil)
        } catch {
            return (events, error)
        }
    }

    private static func fault(in text: String) -> JSONReader.Fault? { read(Array(text.utf8)).fault }

    @Test("A document is read in its order")
    func events() {
        let document = #" {"a" : [1, -0.5e+7 ,"x",[],{} ], "":{"b":null},"a":true } "#
        let (events, fault) = Self.read(Array(document.utf8))
        #expect(fault == nil)
        #expect(
            events == [
                .objectStart, .name(Self.text("a")), .arrayStart, .number("1"), .number("-0.5e+7"),
                .string(Self.text("x")), .arrayStart, .arrayEnd, .objectStart, .objectEnd, .arrayEnd,
                .name(Self.text("")), .objectStart, .name(Self.text("b")), .null, .objectEnd,
                .name(Self.text("a")), .boolean(true), .objectEnd,
            ]
        )
    }

    @Test(
        "Any value is a document",
        arguments: [
            ("1", .number("1")), (" \"a\"\n", .string(.init(text: "a", form: .text))), ("null", .null),
            ("\tfalse\r", .boolean(false)),
            ("true", .boolean(true)),
        ] as [(String, JSONReader.Event)]
    )
    func scalars(document: String, event: JSONReader.Event) {
        let (events, fault) = Self.read(Array(document.utf8))
        #expect(events == [event] && fault == nil)
    }

    @Test(
        "Numbers keep their digits",
        arguments: [
            "0", "-0", "7", "10", "-12345678901234567890", "0.0", "1.50", "-0.1", "1e5", "1E5", "1e+5", "1e-05",
            "1.5E-400", "0e0",
        ]
    )
    func numbers(number: String) {
        let (events, fault) = Self.read(Array("[\(number)]".utf8))
        #expect(events == [.arrayStart, .number(number), .arrayEnd] && fault == nil)
    }

    @Test(
        "What other languages take for a number or a literal is none",
        arguments: [
            "+1", "-", "--1", "01", "-01", "00", "1.", ".5", "-.5", "1.e5", "1e", "1e+", "1e5.5", "e5", "0x10", "0x1p3",
            "1_000", "1.2.3", "NaN", "nan", "inf", "Infinity", "-Infinity", "1f", "1/2", "٣", "True", "TRUE", "nul",
            "nulll",
            "undefined", "'a'", "a", "/**/1",
        ]
    )
    func malformedWords(word: String) {
        #expect(Self.fault(in: "[\(word)]") == .malformed(at: 1))
        #expect(Self.fault(in: word) == .malformed(at: 0))
    }

    @Test(
        "What is no document is told by the first byte that no document goes on with",
        arguments: [
            ("}", 0), ("]", 0), (",", 0), (":", 0), ("{]", 1), ("[}", 1), ("[1}", 2), (#"{"a":1]"#, 6), ("{,", 1),
            ("[,", 1), ("[1,]", 3), (#"{"a":1,}"#, 7), ("[1,,2]", 3), ("[1 2]", 3), ("[:]", 1), ("{1:2}", 1),
            ("{a:1}", 1), (#"{"a"}"#, 4), (#"{"a",1}"#, 4), (#"{"a" 1}"#, 5), (#"{"a":}"#, 5), (#"{"a"::1}"#, 5),
            (#"{"a":1 "b":2}"#, 7), (#"{"a":1:"#, 6), ("{} x", 3), ("[][]", 2), ("1 2", 2), ("\u{FEFF}[]", 0),
            ("[\u{A0}1]", 1), ("[\u{C}1]", 1), ("[1]\u{0}", 3),
        ]
    )
    func malformed(document: String, position: Int) {
        #expect(Self.fault(in: document) == .malformed(at: position))
    }

    @Test("No control character stands in a string, and no escape that is none, unless they are allowed")
    func strings() {
        let contents =
            (0..<0x20).map { String(Unicode.Scalar(UInt8($0))) } + ["\\x", "\\u12", "\\u12g4", "\\'", "\\U0041"]
        for content in contents {
            for (document, position) in [("[\"a\(content)\"]", 3), ("{\"a\(content)\":1}", 3)] {
                #expect(Self.fault(in: document) == .malformed(at: position))
                #expect(Self.read(Array(document.utf8), allowsMalformedStrings: true).fault == nil)
            }
        }
        for content in ["\u{7F}", "\u{80}", "\u{2028}", #"\u0000"#, #"\ud83d"#] {
            #expect(Self.fault(in: "[\"\(content)\"]") == nil)
        }
    }

    @Test("A string that is not closed has the rest of the document in it, and of that a line end is the fault")
    func unclosed() {
        #expect(Self.fault(in: "{\"a\":\"b,\n\"c\":1}") == .malformed(at: 8))
        #expect(Self.fault(in: "{\"a\":\"b,\n}") == .malformed(at: 8))
        #expect(Self.read(Array("{\"a\":\"b,\n}".utf8), allowsMalformedStrings: true).fault == .truncated)
        #expect(Self.fault(in: "{\"a\":\"b}") == .truncated)
    }

    @Test("A document that is cut off at any byte is the beginning of one")
    func truncation() {
        let document = Array(
            #" {"a":[1,-2.5e+3,"x\"\\\u00e9\ud83d\ude00",{"b":null,"é":false}],"c":true,"d":[{}] }"#.utf8
        )
        let whole = Self.read(document)
        #expect(whole.fault == nil)
        for count in 0..<document.count {
            let cut = Self.read(Array(document.prefix(count)))
            #expect(cut.fault == .truncated, "\(count) bytes")
            #expect(whole.events.starts(with: cut.events), "\(count) bytes")
        }
        for (text, event) in [("\"a\"", JSONReader.Event.string(Self.text("a"))), ("[]", .arrayStart)] {
            #expect(Self.read(Array(text.utf8)).events.first == event)
            for count in 0..<text.utf8.count { #expect(Self.fault(in: String(text.prefix(count))) == .truncated) }
        }
    }

    @Test("A word that is cut off may go on, and a string that is closed may not")
    func lastTokens() {
        #expect(Self.read(Array("[1,23".utf8)).events == [.arrayStart, .number("1")])
        #expect(Self.read(Array("[1,23 ".utf8)).events == [.arrayStart, .number("1"), .number("23")])
        #expect(Self.read(Array("[1,\"a\"".utf8)).events == [.arrayStart, .number("1"), .string(Self.text("a"))])
        #expect(Self.read(Array("{\"a\"".utf8)).events == [.objectStart])
        #expect(Self.read(Array("{\"a\":".utf8)).events == [.objectStart, .name(Self.text("a"))])
        #expect(Self.fault(in: "[nul") == .truncated)
    }

    @Test("Nesting is bounded", arguments: [1, 2, 64, 512])
    func nesting(deepest: Int) {
        let levels = (0..<deepest).map { $0 % 2 == 0 ? ("[", "]") : ("{\"\":", "}") }
        let (open, close) = (levels.map(\.0).joined(), levels.reversed().map(\.1).joined())
        #expect(Self.read(Array((open + "1" + close).utf8), deepest: deepest).fault == nil)
        for inner in ["[]", "{}", "[", "{"] {
            let fault = Self.read(Array((open + inner).utf8), deepest: deepest).fault
            #expect(fault == .malformed(at: open.utf8.count))
        }
        let many = String(repeating: "[", count: 100_000)
        #expect(Self.read(Array(many.utf8), deepest: deepest).fault == .malformed(at: deepest))
    }

    @Test("Many siblings are not nested")
    func siblings() {
        let document = "[" + String(repeating: "[{}],", count: 1_000) + "0]"
        #expect(Self.read(Array(document.utf8), deepest: 3).fault == nil)
    }
}
