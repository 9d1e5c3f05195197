import Foundation
import NIOCore
import Testing

@testable import ForwardProxy

@Suite("JSON strings")
struct ByteBufferJSONTests {
    private func decoded(_ write: (inout ByteBuffer) -> Void) throws -> String {
        var out = ByteBuffer()
        write(&out)
        #expect(!out.readableBytesView.contains { $0 < 0x20 })
        return try JSONDecoder().decode(String.self, from: Data(out.readableBytesView))
    }

    @Test("Every ASCII character comes back as it was", arguments: UInt8(0)..<0x80)
    func keepsASCII(byte: UInt8) throws {
        let text = "a\(Character(UnicodeScalar(byte)))b"
        #expect(try decoded { $0.writeJSON(text) } == text)
    }

    @Test("Text in any script comes back as it was", arguments: ["", "Grüße", "日本語 \u{2028}\u{FEFF}", "👩‍👩‍👧\"é\\"])
    func keepsUnicode(text: String) throws {
        #expect(try decoded { $0.writeJSON(text) } == text)
    }

    @Test(
        "Bytes that are not UTF-8 are repaired, and what is around them stays",
        arguments: [
            ([0x61, 0xFF, 0x62], "a\u{FFFD}b"), ([0xC3], "\u{FFFD}"), ([0xC3, 0x22], "\u{FFFD}\""),
            ([0xC3, 0xA9, 0x0A], "é\n"),
        ] as [([UInt8], String)]
    )
    func repairs(bytes: [UInt8], expected: String) throws {
        #expect(try decoded { $0.writeJSON(bytes: bytes) } == expected)
    }

    @Test("Surrogates in UTF-8, overlong forms and halves of characters still decode")
    func decodesAlways() throws {
        let bytes: [UInt8] = [0xED, 0xA0, 0x80, 0x2F, 0xC0, 0xAF, 0xF0, 0x9F, 0x98]
        #expect(try decoded { $0.writeJSON(bytes: bytes) }.contains("/"))
    }
}
