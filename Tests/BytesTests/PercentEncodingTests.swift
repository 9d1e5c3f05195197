import Bytes
import Testing

@Suite("Percent-encoding")
struct PercentEncodingTests {
    @Test("All bytes come back, whoever decodes")
    func comesBack() {
        let bytes = (UInt8.min...UInt8.max).map(\.self)
        let encoded = PercentEncoding.encode(bytes)
        #expect(PercentEncoding.decode(encoded) == bytes)
        #expect(PercentEncoding.decodeLeniently(encoded.span) == bytes)
    }

    @Test("What is no triplet is nothing, or stays", arguments: ["%", "a%", "%4", "%4g", "%g4", "%%41", "100%"])
    func malformed(_ text: String) {
        #expect(PercentEncoding.decode(text.utf8) == nil)
        let expected = text == "%%41" ? "%A" : text
        #expect(PercentEncoding.decodeLeniently(text.utf8Span.span) == Array(expected.utf8))
    }

    @Test("A plus sign is a space in forms alone")
    func plus() {
        let text = "a+b%2bc"
        #expect(PercentEncoding.decode(text.utf8) == Array("a+b+c".utf8))
        #expect(PercentEncoding.decode(text.utf8, plusIsSpace: true) == Array("a b+c".utf8))
        #expect(PercentEncoding.decodeText(text.utf8, plusIsSpace: true) == "a b+c")
        #expect(PercentEncoding.decodeText("+%FF".utf8, plusIsSpace: true) == nil)
        #expect(PercentEncoding.decodeLeniently(text.utf8Span.span) == Array("a+b+c".utf8))
        #expect(PercentEncoding.decodeLeniently(text.utf8Span.span, plusIsSpace: true) == Array("a b+c".utf8))
    }
}
