package import Bytes

/// One request as the inspector shows it. Holds no secret and no token: whoever makes it has left them out
/// (``Redaction``).
package struct InspectedRequest: Sendable {
    /// The number of the request, which its lines in the log have too; 0: none yet, ``RequestJournal`` gives it one.
    package var id = 0
    /// Its place among the requests that were recorded, in the order of their ends; set by ``RequestJournal``.
    package internal(set) var sequence = 0
    /// The number that it had while it was in flight (``RequestJournal/begin(_:)``); nil where nobody looked on then.
    package var begun: Int?
    /// The time at which its head had come, as RFC 3339 has it, in UTC to the millisecond.
    package var time: String
    /// The name of the configured client that sent it; nil when none are configured.
    package var client: String?
    /// The IP address of the client; nil when it is not known.
    package var address: String?
    package var api: String?
    package var account: String?
    package var method: String
    /// The scheme of what was asked for; nil for a tunnel, and where it is not known.
    package var scheme: URIScheme?
    package var authority: String
    package var path: String
    /// The query without its question mark, redacted; nil when there is none.
    package var query: String?
    /// The status of the answer; nil when there was none.
    package var status: Int?
    /// The error of RFC 9209 when the proxy made the answer.
    package var error: String?
    /// The cause of the failed token exchange that the proxy made the answer for, one of a bounded set; nil otherwise.
    package var cause: String?
    /// The words that the client was told.
    package var details: String?
    /// The way in which it ended, where the status does not tell.
    package var outcome: String?
    package var requestBytes: Int
    package var responseBytes: Int
    package var times: InspectedTimes
    /// Indicates whether the upstream connection carried others before; nil when the request was not sent.
    package var isReused: Bool?
    /// The causes that it was sent again for, in order.
    package var repeats: [String]
    /// The trace that it belongs to (W3C Trace Context), in hexadecimal; nil when it is not known.
    package var traceID: String?
    /// The lines of the client's request head, redacted.
    package var received: [String]
    /// The lines of the head that was sent upstream, redacted; empty when none was.
    package var sent: [String]
    /// The lines of the head of the server's response, without what may be secret; empty when none came.
    package var response: [String]
    /// The signature that was added; nil when none was.
    package var signature: InspectedSignature?
    /// The server that it was sent to; nil when it was not sent.
    package var upstream: InspectedUpstream?

    package init(
        time: String,
        method: String,
        authority: String,
        path: String,
        requestBytes: Int,
        responseBytes: Int,
        times: InspectedTimes
    ) {
        self.time = time
        self.method = method
        self.authority = authority
        self.path = path
        self.requestBytes = requestBytes
        self.responseBytes = responseBytes
        self.times = times
        repeats = []
        received = []
        sent = []
        response = []
    }
}

extension InspectedRequest {
    /// The members that a list shows.
    package var summary: JSONText { .object(summaryMembers) }

    /// All of it.
    package var detail: JSONText { .object(detailMembers) }

    /// The members of all of it.
    package var detailMembers: [(key: String, value: JSONText)] {
        var members = summaryMembers
        members.append(("received", .strings(received)))
        members.append(("sent", .strings(sent)))
        members.append(("response", .strings(response)))
        members.append(("signature", signature?.json ?? .null))
        members.append(("upstream", upstream?.json ?? .null))
        return members
    }

    /// The bytes that it takes in memory, roughly.
    var cost: Int {
        let texts = [
            time, client, address, api, account, method, authority, path, query, error, cause, details, outcome,
            traceID,
        ]
        let lines = received + sent + response + repeats
        return texts.reduce(512) { $0 + ($1?.utf8.count ?? 0) } + lines.reduce(0) { $0 + $1.utf8.count + 16 }
            + (signature?.cost ?? 0) + (upstream?.cost ?? 0)
    }

    /// The members of one that has begun.
    package var beginning: JSONText { .object([("begun", .integer(begun))] + identity) }

    private var identity: [(key: String, value: JSONText)] {
        [
            ("time", .string(time)), ("client", .string(client)), ("address", .string(address)),
            ("api", .string(api)), ("account", .string(account)), ("method", .string(method)),
            ("scheme", .string(scheme?.rawValue)), ("authority", .string(authority)), ("path", .string(path)),
            ("query", .string(query)),
        ]
    }

    private var summaryMembers: [(key: String, value: JSONText)] {
        [("id", .integer(id))] + identity + [
            ("status", .integer(status)), ("error", .string(error)), ("cause", .string(cause)),
            ("details", .string(details)), ("outcome", .string(outcome)),
            ("request_bytes", .integer(requestBytes)), ("response_bytes", .integer(responseBytes)),
            ("times", times.json), ("reused", .boolean(isReused)),
            ("repeats", .strings(repeats)), ("trace_id", .string(traceID)), ("begun", .integer(begun)),
            ("sequence", .integer(sequence)),
        ]
    }
}
