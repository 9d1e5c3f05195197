import Bytes
import Testing

@Suite("Text in UTF-16")
struct UTF16TextTests {
    @Test("Text is written in either order of bytes, and read from it, with a mark and without")
    func orders() {
        let text = Array("Aé\u{1F600}".utf8)
        let big: [UInt8] = [0, 0x41, 0, 0xE9, 0xD8, 0x3D, 0xDE, 0]
        let little: [UInt8] = [0x41, 0, 0xE9, 0, 0x3D, 0xD8, 0, 0xDE]
        #expect(UTF16Text.bigEndian(text) == big && UTF16Text.littleEndian(text) == little)
        for bytes in [big, little, [0xFE, 0xFF] + big, [0xFF, 0xFE] + little] {
            #expect(UTF16Text.utf8(bytes[...]) == text)
        }
        // A byte that is left over is none.
        #expect(UTF16Text.utf8((big + [0])[...]) == text)
        #expect(UTF16Text.utf8(([9, 9] + little)[2...]) == text)
    }

    @Test(
        "What is not in UTF-16 is not read",
        arguments: [[], [0x41], [0x41, 0x42], [0, 0], [0xEF, 0xBB, 0xBF]] as [[UInt8]]
    )
    func others(bytes: [UInt8]) {
        #expect(UTF16Text.utf8(bytes[...]) == nil)
    }
}
