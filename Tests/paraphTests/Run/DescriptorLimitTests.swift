import Testing

@testable import paraph

@Suite("The files that a process may have open")
struct DescriptorLimitTests {
    /// As many as two event loops come to.
    private static let atStart = 17

    @Test(
        "leave clients more connections than what else is kept, unless they are very few",
        arguments: [(256, 90), (512, 300), (1024, 760)]
    )
    func shared(_ files: Int, _ least: Int) {
        let limit = DescriptorLimit(files: files, configured: 10_000, atStart: Self.atStart)
        #expect(limit.shared >= least)
        let refused = 64
        let lookUps = 24
        #expect(limit.shared + refused + limit.adminConnections + Self.atStart + lookUps < files)
        #expect(limit.connections < limit.shared && limit.connections > limit.shared * 2 / 3)
    }

    @Test("are fewer for connections where more event loops have some")
    func eventLoops() {
        let few = DescriptorLimit(files: 1024, configured: 10_000, atStart: Self.atStart)
        let many = DescriptorLimit(files: 1024, configured: 10_000, atStart: Self.atStart + 3 * 62)
        #expect(few.shared - many.shared >= 150)
    }

    @Test("are said not to suffice where what is kept for others leaves none to clients", arguments: [64, 128, 160])
    func few(_ files: Int) throws {
        let limit = DescriptorLimit(files: files, configured: 10_000, atStart: Self.atStart)
        let needed = Self.atStart + 48 + max(16, files / 8) + 64 + 32
        #expect(files < needed)
        #expect(try #require(limit.warning).contains("only \(files) files open, and needs \(needed) to"))
    }

    @Test("bound nothing where they suffice, or are not known", arguments: [1 << 20, nil])
    func enough(_ files: Int?) {
        let limit = DescriptorLimit(files: files, configured: 10_000, atStart: Self.atStart)
        #expect(limit.connections == 10_000 && limit.warning == nil)
    }
}
