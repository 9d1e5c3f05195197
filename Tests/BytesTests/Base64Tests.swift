import Bytes
import Testing

@Suite("Base64")
struct Base64Tests {
    @Test(
        "Bytes have the text of RFC 4648, section 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ]
    )
    func vectors(_ plain: String, _ text: String) {
        #expect(Base64.encode(plain.utf8Span.span) == Array(text.utf8))
        #expect(Base64.decode(text.utf8Span.span) == Array(plain.utf8))
    }

    @Test("All bytes come back")
    func comeBack() {
        let bytes = (UInt8.min...UInt8.max).map(\.self)
        for count in 253...256 {
            let part = Array(bytes.prefix(count))
            #expect(Base64.decode(Base64.encode(part.span).span) == part)
        }
    }

    @Test(
        "Anything else is none, however much is allowed",
        arguments: [
            "Zg", "Zg=", "Zg===", "=", "====", "Z===", "Zg==Zg==", "Zm9v\n", " Zm9v", "Zm 9", "Zm-_", "Zm=v",
            "Zm9\u{e9}",
        ]
    )
    func isStrict(_ text: String) {
        #expect(Base64.decode(text.utf8Span.span) == nil)
        #expect(Base64.decode(text.utf8Span.span, allowsSpareBits: true) == nil)
    }

    @Test(
        "Bits that belong to no byte are passed over where that is asked for",
        arguments: ["Zh==", "Zv==", "Zm9=", "Zm+="]
    )
    func sparesBits(_ text: String) {
        #expect(Base64.decode(text.utf8Span.span) == nil)
        #expect(Base64.decode(text.utf8Span.span, allowsSpareBits: true)?.first == UInt8(ascii: "f"))
    }

    @Test("The alphabet for URLs has other characters in the last two places")
    func urlSafe() {
        let bytes: [UInt8] = [0xFB, 0xEF, 0xFF]
        #expect(Base64.encode(bytes.span) == Array("++//".utf8))
        #expect(Base64.encode(bytes.span, alphabet: .urlSafe) == Array("--__".utf8))
        #expect(Base64.respell(Array("a+-/_=".utf8), in: .urlSafe) == Array("a--__=".utf8))
        #expect(Base64.respell(Array("a+-/_=".utf8), in: .standard) == Array("a++//=".utf8))
    }

    @Test(
        "Any form is one of either alphabet, with the padding or without it",
        arguments: [
            ("", ""), ("Zg", "f"), ("Zg=", "f"), ("Zg==", "f"), ("Zm8", "fo"), ("Zm8=", "fo"), ("Zm9v", "foo"),
            ("Zh==", "f"), ("Pz8_", "???"), ("Pz8/", "???"), ("Pj4-", ">>>"), ("Pj4+", ">>>"),
        ]
    )
    func anyForm(_ text: String, _ plain: String) {
        #expect(Base64.decodeAnyForm(text.utf8Span.span) == Array(plain.utf8))
    }

    @Test("Malformed text is none", arguments: ["Z", "Zm9vZ", "=", "Zg===", "Zm8==", "Zm9v=", "Zg==Zg==", "Zm 9"])
    func noForm(_ text: String) {
        #expect(Base64.decodeAnyForm(text.utf8Span.span) == nil)
    }
}
