import Testing

@testable import ForwardProxy

@Suite("Queues in which clients take turns")
struct FairQueueTests {
    @Test(
        "Each client's next one is served in turn",
        arguments: [
            ("", ""), ("a1", "a1"), ("a1 a2 a3", "a1 a2 a3"), ("a1 a2 a3 b1", "a1 b1 a2 a3"),
            ("a1 a2 b1 c1 b2 a3", "a1 b1 c1 a2 b2 a3"),
        ]
    )
    func turns(_ arrivals: String, _ expected: String) {
        var clients: [Character: ClientUsage] = [:]
        var queue = FairQueue<Substring>()
        for word in arrivals.split(separator: " ") {
            let client =
                clients[word.first ?? "?"]
                ?? ClientUsage(
                    name: "",
                    connections: SharedBudget(),
                    places: SharedBudget(),
                    surplus: SharedBudget(),
                    memory: SharedBudget()
                )
            clients[word.first ?? "?"] = client
            queue.append(word, of: client)
        }
        if let client = clients["c"] {
            var others = queue
            #expect(others.takeAll(of: client).joined(separator: " ") == "c1")
            #expect(others.takeAll(of: client).isEmpty)
            #expect(others.takeAll().joined(separator: " ") == "a1 b1 a2 b2 a3")
        }
        if let client = clients["b"], clients["c"] != nil {
            var others = queue
            #expect(others.popFirst(of: client) == "b1")
            // It has had its turn.
            #expect(others.takeAll().joined(separator: " ") == "a1 c1 b2 a2 a3")
            #expect(others.popFirst(of: client) == nil)
            others = queue
            #expect(others.firstOfEach.joined(separator: " ") == "a1 b1 c1")
            #expect(others.takeAll { $0.hasSuffix("1") }.joined(separator: " ") == "a1 b1 c1")
            #expect(others.firstOfEach.joined(separator: " ") == "a2 b2")
            #expect(others.takeAll { $0 == "b2" } == ["b2"])
            #expect(others.takeAll().joined(separator: " ") == "a2 a3")
        }
        #expect(queue.first.map(String.init) ?? "" == expected.prefix(2))
        #expect(queue.takeAll().joined(separator: " ") == expected)
        #expect(queue.isEmpty && queue.popFirst() == nil)
    }
}
