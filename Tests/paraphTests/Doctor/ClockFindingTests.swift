import Testing

@testable import paraph

@Suite("The doctor's finding on clocks")
struct ClockFindingTests {
    @Test(
        "Which clock is ahead is told, and whether that is a fault",
        arguments: [
            (nil, true, .leftOut, "api.test does not tell the time"),
            (0, false, .works, "that of api.test and this machine's are 0 s apart"),
            (30, false, .works, "that of api.test and this machine's are 30 s apart"),
            (-30, false, .works, "that of api.test and this machine's are 30 s apart"),
            (31, false, .fails, "that of api.test is 31 s ahead of this machine's"),
            (-400, false, .fails, "that of api.test is 400 s behind this machine's"),
            (
                31, true, .warns,
                "that of api.test is 31 s ahead of this machine's; it is followed when it refuses a timestamp"
            ),
            (.min, false, .fails, "that of api.test is 9223372036854775808 s behind this machine's"),
        ] as [(Int64?, Bool, Finding.Verdict, String)]
    )
    func tellsOffset(offset: Int64?, isFollowed: Bool, verdict: Finding.Verdict, words: String) {
        let finding = Finding(clockOf: "api.test", offset: offset, isFollowed: isFollowed)
        #expect(finding.verdict == verdict)
        #expect(finding.words == words)
        #expect(finding.remedies.isEmpty == [.leftOut, .works].contains(verdict))
    }
}
