import ForwardProxy
import FoundationEssentials
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
            var head = ByteBuffer()
            var body: ChunkedText?
            var text: [UInt8] = []
            for try await var part in inbound {
                if body == nil {
                    head.writeBuffer(&part)
                    guard let end = try beginning(head) else { continue }
                    head.moveReaderIndex(forwardBy: end)
                    part = head
                    body = ChunkedText()
                    await opened()
                }
                text += try body?.take(part.readableBytesView) ?? []
                guard text.count < Self.limit else { throw Failure(description: "an event of \(address) has no end") }
                while let end = text.firstRange(of: Array("\n\n".utf8)) {
                    if let request = event(text[..<end.lowerBound]) { await told(request) }
                    text.removeSubrange(..<end.upperBound)
                }
                if body?.isOver == true { break }
            }
        }
        throw Failure(description: "the proxy at \(address) has ended the stream")
    }

    /// Returns the length of the head of the answer; nil while it is not whole.
    private func beginning(_ bytes: ByteBuffer) throws(Failure) -> Int? {
        let view = Array(bytes.readableBytesView)
        guard let end = view.firstRange(of: Array("\r\n\r\n".utf8)) else {
            guard view.count < 64 * 1024 else { throw Failure(description: "another program listens at \(address)") }
            return nil
        }
        let head = String(decoding: view[..<end.lowerBound], as: UTF8.self)
        guard head.hasPrefix("HTTP/1.1 "), let status = Int(head.dropFirst(9).prefix(3)) else {
            throw Failure(description: "another program listens at \(address) (listen.admin)", isFinal: true)
        }
        guard head.lowercased().contains("\r\nserver: paraph") else {
            throw Failure(description: "another program listens at \(address) (listen.admin)", isFinal: true)
        }
        guard status == 200 else {
            throw refusal(status, String(decoding: view[end.upperBound...], as: UTF8.self))
        }
        guard head.lowercased().contains("transfer-encoding: chunked") else {
            throw Failure(description: "another program listens at \(address) (listen.admin)", isFinal: true)
        }
        return end.upperBound
    }

    private func refusal(_ status: Int, _ body: String) -> Failure {
        struct Refusal: Decodable {
            let message: String
        }
        let message = (try? JSONDecoder().decode(Refusal.self, from: Data(body.utf8)))?.message
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
