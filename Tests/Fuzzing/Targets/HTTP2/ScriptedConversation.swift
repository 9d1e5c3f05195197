import Bytes
import HTTP1Codec
import NIOCore

@testable import HTTP2Codec

/// Two connections with wires between them, and callers that do what a script says.
struct ScriptedConversation {
    /// One direction of a stream.
    private struct Flow {
        var sent = 0
        var received = 0
        var unreported = 0
        var hasEnded = false
        var hasArrived = false
    }

    private var client: HTTP2Connection
    private var server: HTTP2Connection
    private var toServer: [UInt8] = []
    private var toClient: [UInt8] = []
    private var requests: [HTTP2StreamID: Flow] = [:]
    private var responses: [HTTP2StreamID: Flow] = [:]
    private var resets: Set<HTTP2StreamID> = []
    private(set) var failures: [String] = []
    private(set) var isDamaged = false
    private(set) var isOver = false

    init(choice: UInt8) {
        var settings = HTTP2Settings()
        settings.initialWindow = [65_536, 100, 1_000, 20_000][Int(choice & 3)]
        settings.largestWindow = settings.initialWindow + 5_000
        settings.connectionWindow = 65_535 + Int(choice >> 2 & 3) * 10_000
        settings.maxFrameSize = 16_384 + Int(choice >> 4 & 3) * 1_000
        settings.maxConcurrentStreams = 1 + Int(choice >> 6) * 3
        var limits = HTTP2Limits()
        limits.idleFrames = 1_000_000
        limits.abandonedStreams = 1_000_000
        limits.waitingAnswers = 1_000_000
        client = HTTP2Connection(role: .client, settings: settings, limits: limits)
        server = HTTP2Connection(role: .server, settings: settings, limits: limits)
    }

    /// Streams that nobody reset and of which something is missing at the end.
    var lost: [String] {
        requests.keys.sorted().filter { !resets.contains($0) }.flatMap { streamID -> [String] in
            [("request", requests[streamID]), ("response", responses[streamID])].compactMap { kind, flow in
                guard let flow, flow.hasEnded else { return nil }
                return flow.hasArrived && flow.received == flow.sent ? nil : "\(kind) \(streamID): \(flow)"
            }
        }
    }

    mutating func step(_ reader: inout InputReader) {
        let choice = reader.byte()
        switch choice & 15 {
        case 0, 1: open(endsStream: choice & 16 != 0)
        case 2, 3: send(reader.byte(), reader.number() % 8_192, endsStream: choice & 16 != 0)
        case 4, 5: move(toServer: true, Int(reader.byte()) << (choice >> 4 & 7))
        case 6, 7: move(toServer: false, Int(reader.byte()) << (choice >> 4 & 7))
        case 8: consume(spare: choice & 16 == 0 ? 0 : 500)
        case 9: reset(reader.byte(), byServer: choice & 16 != 0)
        case 10: choice & 16 == 0 ? client.sendPing(UInt64(choice)) : server.sendPing(UInt64(choice))
        case 11: client.tick()
        case 12 where choice & 0xF0 == 0xF0: damage(reader.number(), reader.byte())
        case 13 where choice & 0xE0 == 0xE0: server.goAway(refusingLaterStreams: choice & 16 != 0)
        case 14: answer(reader.byte(), endsStream: choice & 16 != 0)
        default: move(toServer: choice & 16 == 0, 1 << 20)
        }
    }

    /// Lets everything that is under way arrive.
    mutating func settle() {
        for streamID in requests.keys.sorted() {
            if requests[streamID]?.hasEnded == false { end(streamID) }
        }
        var quiet = 0
        for _ in 0..<20_000 where quiet < 2 && !isOver {
            move(toServer: true, 1 << 24)
            move(toServer: false, 1 << 24)
            consume(spare: 0)
            quiet = client.hasOutput || server.hasOutput ? 0 : quiet + 1
        }
    }

    private mutating func open(endsStream: Bool) {
        guard requests.count < 40, let streamID = client.openStream() else { return }
        client.sendRequest(
            streamID,
            Self.request,
            scheme: .https,
            authority: ByteBuffer(string: "h"),
            endsStream: endsStream
        )
        requests[streamID] = Flow(hasEnded: endsStream)
    }

    /// A number among those streams that there are.
    private func stream(_ choice: UInt8) -> HTTP2StreamID? {
        let streamIDs = requests.keys.sorted()
        return streamIDs.isEmpty ? nil : streamIDs[Int(choice) % streamIDs.count]
    }

    private mutating func send(_ choice: UInt8, _ count: Int, endsStream: Bool) {
        guard let streamID = stream(choice) else { return }
        let body = ByteBuffer(repeating: UInt8(truncatingIfNeeded: streamID), count: count)
        if choice & 0x80 == 0 {
            guard requests[streamID]?.hasEnded == false else { return }
            client.sendData(streamID, body, endsStream: endsStream)
            requests[streamID]?.sent += count
            requests[streamID]?.hasEnded = endsStream
        } else {
            guard responses[streamID]?.hasEnded == false else { return }
            server.sendData(streamID, body, endsStream: endsStream)
            responses[streamID]?.sent += count
            responses[streamID]?.hasEnded = endsStream
        }
    }

    private mutating func end(_ streamID: HTTP2StreamID) {
        client.sendData(streamID, ByteBuffer(), endsStream: true)
        requests[streamID]?.hasEnded = true
    }

    private mutating func answer(_ choice: UInt8, endsStream: Bool) {
        guard let streamID = stream(choice), responses[streamID]?.hasEnded == false else { return }
        server.sendTrailers(streamID, Self.trailers)
        responses[streamID]?.hasEnded = true
    }

    private mutating func reset(_ choice: UInt8, byServer: Bool) {
        guard let streamID = stream(choice) else { return }
        resets.insert(streamID)
        if byServer { server.reset(streamID, code: .cancel) } else { client.reset(streamID, code: .cancel) }
    }

    private mutating func consume(spare: Int) {
        for streamID in requests.keys.sorted() {
            if let flow = requests[streamID], flow.unreported > 0 {
                server.consumed(streamID, bytes: flow.unreported, spare: spare)
                requests[streamID]?.unreported = 0
            }
            if let flow = responses[streamID], flow.unreported > 0 {
                client.consumed(streamID, bytes: flow.unreported, spare: spare)
                responses[streamID]?.unreported = 0
            }
        }
    }

    private mutating func damage(_ place: Int, _ bits: UInt8) {
        guard bits != 0 else { return }
        toServer += client.takeOutput().readableBytesView
        toClient += server.takeOutput().readableBytesView
        if place & 1 == 0 {
            guard !toServer.isEmpty else { return }
            toServer[place >> 1 % toServer.count] ^= bits
        } else {
            guard !toClient.isEmpty else { return }
            toClient[place >> 1 % toClient.count] ^= bits
        }
        isDamaged = true
    }

    private mutating func move(toServer: Bool, _ count: Int) {
        do throws(HTTP2ConnectionError) {
            if toServer {
                self.toServer += client.takeOutput().readableBytesView
                server.receive(ByteBuffer(bytes: self.toServer.prefix(count)))
                self.toServer.removeFirst(min(count, self.toServer.count))
                while let event = try server.next() { serverDid(event) }
            } else {
                toClient += server.takeOutput().readableBytesView
                client.receive(ByteBuffer(bytes: toClient.prefix(count)))
                toClient.removeFirst(min(count, toClient.count))
                while let event = try client.next() { clientDid(event) }
            }
        } catch {
            failures.append("\(error)")
            isOver = true
        }
    }

    private mutating func serverDid(_ event: HTTP2Event) {
        switch event {
        case .requestHead(let streamID, _, _):
            server.sendResponse(streamID, Self.response, endsStream: streamID & 2 != 0)
            responses[streamID] = Flow(hasEnded: streamID & 2 != 0)
        case .data(let streamID, let bytes): Self.take(bytes, on: &requests[streamID, default: Flow()])
        case .end(let streamID, _): requests[streamID]?.hasArrived = true
        case .reset(let streamID, _, let error): wasReset(streamID, error)
        default: break
        }
    }

    private mutating func clientDid(_ event: HTTP2Event) {
        switch event {
        case .data(let streamID, let bytes): Self.take(bytes, on: &responses[streamID, default: Flow()])
        case .end(let streamID, _): responses[streamID]?.hasArrived = true
        case .reset(let streamID, let code, let error):
            if code == .refusedStream { resets.insert(streamID) }
            wasReset(streamID, error)
        default: break
        }
    }

    private static func take(_ bytes: ByteBuffer, on flow: inout Flow) {
        flow.received += bytes.readableBytes
        flow.unreported += bytes.readableBytes
    }

    private mutating func wasReset(_ streamID: HTTP2StreamID, _ error: HTTP2StreamError?) {
        if let error { failures.append("\(streamID): \(error)") }
        if !resets.contains(streamID) { failures.append("\(streamID) was reset by nobody") }
    }

    private static let request: RequestHead = {
        var decoder = RequestDecoder()
        decoder.append(ByteBuffer(string: "POST /a HTTP/1.1\r\nHost: h\r\nAccept: b\r\nX-A: c\r\n\r\n"))
        guard case .head(let head)? = try? decoder.next() else { fatalError("no head") }
        return head
    }()

    private static let response: ResponseHead = {
        var decoder = ResponseDecoder()
        decoder.expect(responseTo: .get)
        decoder.append(ByteBuffer(string: "HTTP/1.1 200 OK\r\nServer: s\r\nX-A: c\r\n\r\n"))
        guard case .head(let head)? = try? decoder.next() else { fatalError("no head") }
        return head
    }()

    private static let trailers: FieldSection = {
        var decoder = RequestDecoder()
        decoder.append(
            ByteBuffer(string: "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: b\r\n\r\n")
        )
        while let event = try? decoder.next() {
            if case .end(let trailers?) = event { return trailers }
        }
        fatalError("no trailers")
    }()
}
