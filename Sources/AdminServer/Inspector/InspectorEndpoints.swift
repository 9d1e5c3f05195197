import Bytes
import HTTPTypes
import Hummingbird
import Inspection
import NIOCore

/// `/requests` and `/events`: the latest requests of the proxy, and those that end from now on.
struct InspectorEndpoints: Sendable {
    private let journal: RequestJournal
    /// Tells this process's requests, whose numbers begin anew at each start, from another one's.
    private let run = Hexadecimal.encode(UInt64.random(in: .min ... .max))

    init(journal: RequestJournal) {
        self.journal = journal
    }

    /// Answers with the requests that are kept, oldest first.
    ///
    /// - Parameter query: `after=ID` for those that came later alone.
    func list(after query: Substring?) throws(AdminRefusal) -> Response {
        let after = try query.map(Self.number) ?? 0
        let requests = journal.requests(after: after)
        return Self.protected(
            AdminAnswer.json([
                ("run", .string(run)),
                ("recording", .boolean(journal.isRecording)),
                ("most", .integer(RequestJournal.mostRequests)),
                ("requests", .array(requests.map(\.summary))),
                ("in_flight", .array(journal.inFlight.map(\.beginning))),
            ])
        )
    }

    private static func number(_ text: Substring) throws(AdminRefusal) -> Int {
        guard text.utf8.allSatisfy(\.isDigit), let number = Int(text) else { throw .malformedNumber }
        return number
    }

    func detail(_ id: Int) throws(AdminRefusal) -> Response {
        guard let request = journal.request(id) else { throw .unknownRequest }
        return Self.protected(AdminAnswer.json(request.detailMembers))
    }

    /// Answers with the requests that begin and end from now on, as server-sent events, until the client leaves or the
    /// listener ends.
    func events(_ request: Request, until ends: ListenerStreams) throws(AdminRefusal) -> Response {
        var fields: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        fields[.xContentTypeOptions] = "nosniff"
        guard request.method != .head else { return Response(status: .ok, headers: fields) }
        guard let requests = journal.follow() else { throw .tooManyOnlookers }
        let events = InspectorEvents(requests)
        let body = ResponseBody { writer in
            let stop = ends.add { events.finish() }
            defer { stop.remove() }
            try await request.body.consumeWithInboundCloseHandler { _ in
                try await events.write(to: &writer)
            } onInboundClosed: {
                events.finish()
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: fields, body: body)
    }

    /// Returns the response so that nothing takes it for a page, and no page of another origin embeds it.
    private static func protected(_ response: Response) -> Response {
        var response = response
        response.headers[.xContentTypeOptions] = "nosniff"
        if let policy = HTTPField.Name("Cross-Origin-Resource-Policy") { response.headers[policy] = "same-origin" }
        return response
    }
}
