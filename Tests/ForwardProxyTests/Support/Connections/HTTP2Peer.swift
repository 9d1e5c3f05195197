import Bytes
import HTTP1Codec
import HTTP2Codec
import NIOCore

@testable import ForwardProxy

/// One end of an HTTP/2 connection in a test, which does what the test says and nothing by itself but to acknowledge
/// settings.
final class HTTP2Peer {
    let wire: Wire
    var connection: HTTP2Connection
    /// Indicates whether nothing is sent, not even what the protocol asks for.
    var isSilent = false
    /// The last streams that the other end has said it takes, each time it announced its end.
    private(set) var goAways: [HTTP2StreamID] = []

    init(
        _ wire: Wire,
        role: HTTP2Role,
        settings: HTTP2Settings = HTTP2Settings(),
        limits: MessageLimits = MessageLimits()
    ) {
        self.wire = wire
        connection = HTTP2Connection(
            role: role,
            settings: settings,
            limits: HTTP2Limits(for: limits),
            messageLimits: limits
        )
    }

    /// Writes what there is to send.
    func flush() async throws {
        guard !isSilent else { return }
        let bytes = connection.takeOutput()
        if bytes.readableBytes > 0 { try await wire.sendBytes(bytes) }
    }

    /// Returns what comes next.
    func next() async throws -> HTTP2Event {
        while true {
            if let event = try connection.next() {
                if case .goAway(let last, _, _) = event { goAways.append(last) }
                return event
            }
            try await flush()
            connection.receive(
                try await wire.inbox.wait { contents in
                    if contents.bytes.readableBytes == 0, contents.end != nil { throw Wire.Ended(received: "") }
                    return contents.bytes.readSlice(length: max(1, contents.bytes.readableBytes))
                }
            )
        }
    }

    /// The next event that is of use here; what comes before it is passed over.
    func next<Found>(_ take: (HTTP2Event) -> Found?) async throws -> Found {
        while true {
            if let found = take(try await next()) { return found }
        }
    }

    // MARK: Client

    /// Begins a request.
    /// - Parameters:
    ///   - authority: The API's; by default that of the tests.
    ///   - ends: False when a body follows that is not given here.
    func request(
        _ method: String = "GET",
        _ path: String = "/",
        authority: String = "api.test",
        scheme: URIScheme = .https,
        fields: String = "",
        body: String? = nil,
        ends: Bool = true
    ) async throws -> HTTP2StreamID {
        guard let id = connection.openStream() else { throw Wire.Ended(received: "no stream") }
        let length = body.map { "Content-Length: \($0.utf8.count)\n" } ?? ""
        connection.sendRequest(
            id,
            try requestHead("\(method) \(path) HTTP/1.1\nHost: \(authority)\n\(fields)\(length)\n"),
            scheme: scheme,
            authority: ByteBuffer(string: authority),
            endsStream: body == nil && ends
        )
        if let body { connection.sendData(id, ByteBuffer(string: body), endsStream: true) }
        try await flush()
        return id
    }

    /// The final head of a response.
    func head(of id: HTTP2StreamID) async throws -> ResponseHead {
        try await next { event in
            guard case .responseHead(id, let head, _) = event, !head.isInformational else { return nil }
            return head
        }
    }

    /// The rest of a response's body, given back to the window as it comes.
    func body(of id: HTTP2StreamID) async throws -> String {
        var body = ""
        while true {
            switch try await next() {
            case .data(id, let bytes):
                body += bytes.latin1
                connection.consumed(id, bytes: bytes.readableBytes)
                try await flush()
            case .end(id, _): return body
            case .reset(id, let code, _): throw Wire.Ended(received: "\(body) reset: \(code.label)")
            default: break
            }
        }
    }

    // MARK: Server

    /// The next request.
    func accept() async throws -> HTTP2StreamID {
        try await next { event in
            guard case .requestHead(let id, _, _) = event else { return nil }
            return id
        }
    }

    /// Answers in full, as far as the windows let it.
    func answer(_ id: HTTP2StreamID, _ body: String = "ok") async throws {
        connection.sendAnswer(id, status: 200, fields: [:], endsStream: false)
        connection.sendData(id, ByteBuffer(string: body), endsStream: true)
        try await flush()
    }
}
