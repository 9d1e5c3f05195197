import ForwardProxy
import FoundationEssentials
import HTTP1Codec
import NIOCore
import NIOPosix
import OAuthSigning
import Settings

/// The requests that begin and end from now on, as the admin listener tells them.
struct AdminEvents {
    struct Failure: Error, CustomStringConvertible {
        let description: String
        /// Indicates whether asking again is of no use.
        var isFinal = false
    }

    /// The bytes that may come without the end of an event.
    private static let limit = 1 << 20

    let address: ListenAddress
    let token: Secret?
    /// The time without a byte after which the proxy is taken for gone: it writes something every 15 s.
    var silence = TimeAmount.seconds(45)

    /// The requests that the admin listener knows.
    struct List: Decodable, Sendable {
        /// The requests that are kept, the oldest first.
        let requests: [TopRequest]
        let inFlight: [TopRequestInFlight]

        enum CodingKeys: String, CodingKey {
            case requests
            case inFlight = "in_flight"
        }
    }

    enum Told: Sendable {
        case begun(TopRequestInFlight)
        case ended(TopRequest)
    }

    /// Returns the requests that are in flight.
    func inFlight() async throws(Failure) -> [TopRequestInFlight] {
        try await list("/requests?after=\(Int.max)").inFlight
    }

    /// Returns the requests that are kept, and those that are in flight.
    func list() async throws(Failure) -> List { try await list("/requests") }

    private func list(_ target: String) async throws(Failure) -> List {
        let answer: PlainRequest.Answer
        do {
            answer = try await PlainRequest.get(target, from: address, token: token, limit: 16 << 20)
        } catch {
            throw Failure(description: "no proxy answers at \(address) (listen.admin): \(error)")
        }
        guard answer.status == 200 else { throw refusal(answer.status, answer.body) }
        do {
            return try JSONDecoder().decode(List.self, from: Data(answer.body.utf8))
        } catch {
            throw Failure(description: "another program answers at \(address) (listen.admin)", isFinal: true)
        }
    }

    /// Follows the requests until the proxy ends them.
    ///
    /// - Parameters:
    ///   - opened: Called when it has begun: what begins and ends from now on is told.
    func follow(opened: () async -> Void, _ told: (Told) async -> Void) async throws {
        let host = PlainRequest.reachable(address.host)
        let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>
        do {
            channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: host, port: address.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let gone = Failure(description: "the proxy at \(address) says nothing any more")
                        try channel.pipeline.syncOperations.addHandlers([
                            IdleStateHandler(readTimeout: silence), SilenceHandler(error: gone),
                        ])
                        return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            throw Failure(
                description: "no proxy answers at \(address) (listen.admin): \(SocketErrorText.describe(error))"
            )
        }
        try await channel.executeThenClose { inbound, outbound in
            // Why it could not be written is told by what is read: the end, or its reason.
            try? await outbound.write(PlainRequest.head("/events", host: host, port: address.port, token: token))
            var decoder = ResponseDecoder()
            decoder.expect(responseTo: .get)
            var status: Int?
            var text: [UInt8] = []
            var isOver = false
            for try await part in inbound {
                decoder.append(part)
                while !isOver, let event = try next(&decoder, hasBegun: status != nil) {
                    switch event {
                    case .head(let head):
                        try check(head)
                        status = head.status
                        if head.status == 200 { await opened() }
                    case .body(let bytes): text += bytes.readableBytesView
                    case .end: isOver = true
                    }
                }
                guard text.count < Self.limit else { throw Failure(description: "an event of \(address) has no end") }
                while status == 200, let end = text.firstRange(of: Array("\n\n".utf8)) {
                    if let request = event(text[..<end.lowerBound]) { await told(request) }
                    text.removeSubrange(..<end.upperBound)
                }
                if isOver { break }
            }
            if let status, status != 200 { throw refusal(status, String(decoding: text, as: UTF8.self)) }
        }
        throw Failure(description: "the proxy at \(address) has ended the stream")
    }

    private func next(_ decoder: inout ResponseDecoder, hasBegun: Bool) throws(Failure) -> ResponseEvent? {
        do throws(MessageError) {
            return try decoder.next()
        } catch {
            throw hasBegun ? Failure(description: "the stream of \(address) is malformed") : otherProgram
        }
    }

    private func check(_ head: ResponseHead) throws(Failure) {
        let server = head.fields.values(named: "server").first.map { String(buffer: $0) } ?? ""
        guard server.lowercased().hasPrefix("paraph"), head.status != 200 || head.framing == .chunked else {
            throw otherProgram
        }
    }

    private var otherProgram: Failure {
        Failure(description: "another program listens at \(address) (listen.admin)", isFinal: true)
    }

    private func refusal(_ status: Int, _ body: String) -> Failure {
        struct ErrorBody: Decodable {
            let message: String
        }
        let message = (try? JSONDecoder().decode(ErrorBody.self, from: Data(body.utf8)))?.message
        let advice =
            status == 401 ? " Name what holds it with --token-env or --token-file." : ""
        return Failure(
            description: "the proxy at \(address) answers with \(status): \(message ?? "it says not why.")\(advice)",
            isFinal: status != 503
        )
    }

    private func event(_ lines: ArraySlice<UInt8>) -> Told? {
        let prefix = Array("data: ".utf8)
        let lines = lines.split(separator: UInt8(ascii: "\n"))
        guard let data = lines.first(where: { $0.starts(with: prefix) })?.dropFirst(prefix.count) else { return nil }
        if lines.contains(where: { $0.elementsEqual("event: begun".utf8) }) {
            return (try? JSONDecoder().decode(TopRequestInFlight.self, from: Data(data))).map(Told.begun)
        }
        return (try? JSONDecoder().decode(TopRequest.self, from: Data(data))).map(Told.ended)
    }
}
