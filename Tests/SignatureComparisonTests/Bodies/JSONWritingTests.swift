import Bytes
import Testing

@testable import SignatureComparison

@Suite("JSON as other programs write it")
struct JSONWritingTests {
    /// `é` is one code unit, the smile is two.
    private static let document = Array(
        #"{ "b":[1.50,{}, []],"a":"</é\u0007\b\f\n\r\t\"\\&\ud83d\ude00","c":null,"d":{"x":true} }"#.utf8
    )

    @Test(
        "Each style differs in its own ways only",
        arguments: [
            (
                .init(),
                #"{"b":[1.50,{},[]],"a":"</é\u0007\b\f\n\r\t\"\\&"# + "\u{1F600}" + #"","c":null,"d":{"x":true}}"#
            ),
            (
                .init(comma: ", ", colon: ": ", escapes: .nonASCII),
                #"{"b": [1.50, {}, []], "a": "</\u00e9\u0007\b\f\n\r\t\"\\&\ud83d\ude00", "c": null, "d": {"x": true}}"#
            ),
            (
                .init(escapes: [.slashes, .markup], dropsNull: true),
                #"{"b":[1.50,{},[]],"a":"\u003c\/é\u0007\b\f\n\r\t\"\\\u0026"# + "\u{1F600}" + #"","d":{"x":true}}"#
            ),
            (
                .init(indentation: "  ", lineEnd: "\r\n", escapes: .nonASCII, sortsMembers: true),
                [
                    "{", #"  "a": "</\u00e9\u0007\b\f\n\r\t\"\\&\ud83d\ude00","#, #"  "b": ["#, "    1.50,", "    {},",
                    "    []", "  ],", #"  "c": null,"#, #"  "d": {"#, #"    "x": true"#, "  }", "}",
                ].joined(separator: "\r\n")
            ),
        ] as [(JSONValue.Style, String)]
    )
    func styles(style: JSONValue.Style, text: String) throws {
        let value = try #require(JSONValue(Self.document))
        #expect(value.text(style) == text)
        // What is written is read as the same again.
        if !style.sortsMembers && !style.dropsNull { #expect(JSONValue(Array(text.utf8)) == value) }
    }

    @Test("Numbers are written as a float is, or as texts")
    func numbers() throws {
        let value = try #require(JSONValue(Array("[1.50,10.0,1e2,123456789012345678901,-0]".utf8)))
        #expect(value.withPlainNumbers.text(.init()) == "[1.5,10,100,123456789012345678901,0]")
        #expect(value.withTextForNumbers.text(.init()) == #"["1.50","10.0","1e2","123456789012345678901","-0"]"#)
    }
}
