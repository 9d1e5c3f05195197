import FoundationEssentials
import Testing

@testable import CredentialStores

@Suite("The backlog of a watch")
struct WatchBacklogTests {
    private static func events(_ written: [(key: String, value: String, revision: Int)]) throws -> [EtcdWatch.Event] {
        try written.map { key, value, revision in
            let (key, value) = (Data(key.utf8).base64EncodedString(), Data(value.utf8).base64EncodedString())
            let text = #"{"kv":{"key":"\#(key)","value":"\#(value)","mod_revision":"\#(revision)"}}"#
            return try JSONDecoder().decode(EtcdWatch.Event.self, from: Data(text.utf8))
        }
    }

    private static func taken(_ backlog: WatchBacklog) throws -> [String]? {
        guard case .events(let events)? = try backlog.take() else { return nil }
        return events.map { event in
            let (key, value) = (event.kv.key.data, event.kv.value?.data ?? Data())
            return "\(String(decoding: key, as: UTF8.self))=\(String(decoding: value, as: UTF8.self))"
        }
    }

    @Test("It holds the last event of each key, in the order of the revisions")
    func lastOfEach() throws {
        let backlog = WatchBacklog()
        backlog.add(try Self.events([("a", "1", 5), ("b", "1", 6), ("a", "2", 7)]))
        backlog.add(try Self.events([("c", "1", 8), ("b", "2", 9)]))
        let first = try Self.taken(backlog)
        let second = try Self.taken(backlog)
        #expect(first == ["a=2", "c=1", "b=2"])
        #expect(second == nil)
    }

    @Test("The beginning is told before all else, and the end after it")
    func ends() throws {
        let backlog = WatchBacklog()
        backlog.begin()
        backlog.add(try Self.events([("a", "1", 5)]))
        backlog.end(by: .lost)
        guard case .begun? = try backlog.take() else {
            Issue.record("the beginning is not told")
            return
        }
        let events = try Self.taken(backlog)
        #expect(events == ["a=1"])
        #expect(throws: EtcdClient.WatchEnd.self) { try backlog.take() }
    }

    @Test("Many keys fill it, and one that is written again and again does not")
    func fills() throws {
        let value = String(repeating: "x", count: 1 << 20)
        let backlog = WatchBacklog()
        for revision in 1...20 { backlog.add(try Self.events([("a", value, revision)])) }
        #expect(!backlog.isFull)
        for number in 1...8 { backlog.add(try Self.events([("\(number)", value, 20 + number)])) }
        #expect(backlog.isFull)
        _ = try backlog.take()
        #expect(!backlog.isFull)
    }
}
