import Testing

@testable import ForwardProxy

@Suite("Names of accounts as labels")
struct AccountLabelsTests {
    @Test("are a bounded number over all APIs: further accounts have one name in common")
    func bounded() {
        let labels = AccountLabels(limit: 2)
        #expect(labels.label(of: "alice", at: "one") == "alice")
        #expect(labels.label(of: "alice", at: "other") == "alice")
        #expect(labels.label(of: "bob", at: "one") == AccountLabels.others)
        #expect(labels.label(of: "alice", at: "one") == "alice")
    }
}
