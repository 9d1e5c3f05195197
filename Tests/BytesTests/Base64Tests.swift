import Bytes
import Testing

@Suite("Base64")
struct Base64Tests {
    @Test(
        "Bytes and their text (RFC 4648, section 10)",
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
}
