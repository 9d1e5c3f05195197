import Foundation
import Testing

@testable import SignatureComparison
@testable import paraph

@Suite("Character sets of the C library")
struct SystemCharacterSetTests {
    /// Those that this system has.
    private static let had = SystemCharacterSet.compared.filter { $0.encode("a") != nil }

    @Test("What a set has is encoded and decoded")
    func both() throws {
        for (name, text, bytes) in [
            ("Shift_JIS", "日本", [0x93, 0xFA, 0x96, 0x7B]), ("EUC-JP", "日本", [0xC6, 0xFC, 0xCB, 0xDC]),
            ("GBK", "中", [0xD6, 0xD0]), ("EUC-KR", "가", [0xB0, 0xA1]), ("Big5", "中", [0xA4, 0xA4]),
        ] as [(String, String, [UInt8])] {
            guard let set = Self.had.first(where: { $0.name == name }) else { continue }
            #expect(set.encode(text) == bytes)
            #expect(set.decode(bytes) == text)
            #expect(set.encode("\u{1F600}") == nil)
        }
    }

    @Test("Sets that shift end as they began")
    func shifts() throws {
        guard let set = Self.had.first(where: { $0.name == "ISO-2022-JP" }) else { return }
        #expect(set.encode("日a") == [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42, 0x61])
        #expect(set.encode("日")?.suffix(3) == [0x1B, 0x28, 0x42])
    }

    @Test("What was encoded is decoded by each, and what none has crashes none")
    func each() {
        for set in Self.had {
            let (encoded, cut) = (set.encode("az 09"), set.decode([0x1B, 0x24, 0x80, 0xFF]))
            #expect(encoded.flatMap(set.decode) == "az 09", "\(set.name)")
            #expect(cut?.isEmpty != true, "\(set.name)")
        }
    }
}
