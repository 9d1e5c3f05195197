import Testing

@testable import paraph

@Suite("The processors that a process may run on")
struct UsableProcessorsTests {
    @Test(
        "are counted in the mask",
        arguments: [
            ("Cpus_allowed:\t2\n", 1),
            ("Cpus_allowed:\tff\n", 8),
            ("Cpus_allowed:\t00000001,80000003\n", 4),
        ]
    )
    func mask(_ line: String, _ count: Int) {
        #expect(UsableProcessors.count(inLine: line) == count)
    }

    @Test(
        "are not told by any other line",
        arguments: ["Cpus_allowed_list:\t0-7\n", "Mems_allowed:\t1\n", "Cpus_allowed:\t0\n", "Cpus_allowed:\n", ""]
    )
    func otherLine(_ line: String) {
        #expect(UsableProcessors.count(inLine: line) == nil)
    }

    @Test("are told by this system")
    func own() throws {
        #expect(try #require(UsableProcessors.count()) >= 1)
    }
}
