import Foundation
import Testing

@testable import paraph

@Suite("The memory of the start-up")
struct StartUpMemoryTests {
    private static let program = "/usr/local/bin/paraph"

    @Test("is given back where it holds the program's code")
    func code() {
        let line = "55d0c0a91000-55d0c22a3000 r-xp 00690000 fe:00 1180163                    \(Self.program)"
        #expect(StartUpMemory.codeRange(line, of: Self.program) == 0x55d0_c0a9_1000..<0x55d0_c22a_3000)
        let spaced = "1000-3000 r-xp 00000000 fe:00 1  /opt/with blanks/paraph"
        #expect(StartUpMemory.codeRange(spaced, of: "/opt/with blanks/paraph") == 0x1000..<0x3000)
    }

    @Test(
        "is kept wherever something may have been written, or is not the program's",
        arguments: [
            "55d0c22a5000-55d0c2397000 r--p 01ea1000 fe:00 1180163                    /usr/local/bin/paraph",
            "55d0c2397000-55d0c271f000 rw-p 01f92000 fe:00 1180163                    /usr/local/bin/paraph",
            "55d0c0a91000-55d0c22a3000 rwxp 00690000 fe:00 1180163                    /usr/local/bin/paraph",
            "55d0c0a91000-55d0c22a3000 r-xp 00690000 fe:00 1180163                    /usr/local/bin/paraph (deleted)",
            "7f0282626000-7f028277c000 r-xp 00026000 fe:00 1837                       /usr/lib/libc.so.6",
            "7ffd5cbf5000-7ffd5cbf7000 r-xp 00000000 00:00 0                          [vdso]",
            "7f0282626000-7f028277c000 r-xp 00026000 00:00 0",
            "3000-1000 r-xp 00000000 fe:00 1 /usr/local/bin/paraph",
            "x-y r-xp 00000000 fe:00 1 /usr/local/bin/paraph",
            "",
        ]
    )
    func others(_ line: String) {
        #expect(StartUpMemory.codeRange(line, of: Self.program) == nil)
    }

    @Test("has code of this very program in it, which runs on when it is given back")
    func ownCode() throws {
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        #expect(maps.split(separator: "\n").contains { StartUpMemory.codeRange($0, of: program) != nil })
        StartUpMemory.giveBack()
        #expect(maps.contains(program))
    }
}
