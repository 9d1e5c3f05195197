import Bytes
import Testing

@testable import Inspection

@Suite("The latest requests")
struct RequestJournalTests {
    private func request(_ path: String = "/") -> InspectedRequest {
        InspectedRequest(
            time: "2026-01-02T03:04:05.678Z",
            method: "GET",
            authority: "api.test:443",
            path: path,
            requestBytes: 0,
            responseBytes: 0,
            times: InspectedTimes(total: 1)
        )
    }

    @Test("Nothing is recorded while nobody looks on, and nothing is left when nobody does any more")
    func recordsWhileWatched() async throws {
        let journal = RequestJournal()
        journal.append(request())
        #expect(!journal.isRecording && journal.requests.isEmpty)
        let onlooker = Task { () -> InspectedRequest? in
            let stream = try #require(journal.follow())
            journal.append(request("/a"))
            for await case .ended(let seen) in stream { return seen }
            return nil
        }
        let seen = try await onlooker.value
        #expect(seen?.path == "/a")
        #expect(seen?.id == 1)
        #expect(!journal.isRecording && journal.requests.isEmpty)
    }

    @Test("What is kept is found by its number, and the oldest goes first")
    func keeps() {
        let journal = RequestJournal()
        journal.keep(true)
        for index in 0..<(RequestJournal.mostRequests + 2) { journal.append(request("/\(index)")) }
        #expect(journal.requests.count == RequestJournal.mostRequests)
        #expect(journal.request(2) == nil)
        #expect(journal.request(3)?.path == "/2")
        #expect(journal.request(RequestJournal.mostRequests + 2)?.path == "/\(RequestJournal.mostRequests + 1)")
        #expect(journal.request(RequestJournal.mostRequests + 3) == nil)
        journal.keep(false)
        #expect(!journal.isRecording && journal.requests.isEmpty)
    }

    @Test("Requests with much to show are fewer")
    func isBoundedInBytes() {
        let journal = RequestJournal()
        journal.keep(true)
        let path = String(repeating: "x", count: RequestJournal.mostBytes / 4)
        for _ in 0..<8 { journal.append(request(path)) }
        #expect(journal.requests.count == 3)
        #expect(journal.request(8)?.path == path)
    }

    @Test("What has begun is in flight until it ends, and is told when it begins")
    func inFlight() async throws {
        let journal = RequestJournal()
        #expect(journal.begin(request()) == nil)
        var events = try #require(journal.follow()).makeAsyncIterator()
        var slow = request("/slow")
        slow.begun = journal.begin(slow)
        let quick = try #require(journal.begin(request("/quick")))
        #expect(journal.inFlight.map(\.path) == ["/slow", "/quick"])
        guard case .begun(let first) = await events.next() else { throw CancellationError() }
        #expect((first.path, first.begun, slow.begun) == ("/slow", 1, 1))
        #expect(first.beginning.line.hasPrefix(#"{"begun":1,"time":"2026-01-02T03:04:05.678Z","client":null,"#))
        slow.time = "2026-01-02T03:04:05.679Z"
        journal.append(slow)
        #expect(journal.request(1)?.time == first.time)
        #expect(journal.inFlight.map(\.begun) == [quick])
    }

    @Test("Only so many are known to be in flight, and none when nobody looks on any more")
    func boundsInFlight() {
        let journal = RequestJournal()
        journal.keep(true)
        for _ in 0..<RequestJournal.mostInFlight { #expect(journal.begin(request()) != nil) }
        #expect(journal.begin(request()) == nil)
        journal.keep(false)
        #expect(journal.inFlight.isEmpty)
    }

    @Test("There are only so many onlookers")
    func boundsOnlookers() {
        let journal = RequestJournal()
        let streams = (0..<RequestJournal.mostOnlookers).compactMap { _ in journal.follow() }
        #expect(streams.count == RequestJournal.mostOnlookers)
        #expect(journal.follow() == nil)
    }

    @Test("A request is shown with all its members, null where there is nothing")
    func isJSON() {
        var request = request()
        request.status = 200
        request.received = ["GET / HTTP/1.1", "Host: \"a\""]
        #expect(request.summary.line.hasPrefix(#"{"id":0,"time":"2026-01-02T03:04:05.678Z","client":null,"#))
        #expect(
            request.detail.line.contains(
                #""received":["GET / HTTP/1.1","Host: \"a\""],"sent":[],"response":[],"signature":null"#
            )
        )
    }
}
