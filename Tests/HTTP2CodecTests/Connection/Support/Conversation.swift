import Bytes
import HTTP1Codec
import HTTP2Codec
import NIOCore
import TestSupport

/// A client and a server connection with wires between them, on which bytes move in pieces of chance, and callers that
/// send, consume and now and then reset at chance.
struct Conversation {
    private var random: SeededGenerator
    private var client: HTTP2Connection
    private var server: HTTP2Connection
    private var toServer = Wire()
    private var toClient = Wire()
    private var requests: [HTTP2StreamID: MessageFlow] = [:]
    private var responses: [HTTP2StreamID: MessageFlow] = [:]
    private var resets: Set<HTTP2StreamID> = []
    private(set) var failures: [String] = []
    private let bodyLimit: Int
    private let resetChance: Int

    /// The way between two ends: bytes under way, and an account of them.
    private struct Wire {
        var bytes = ByteBuffer()
        var log = FrameLog()
        var auditor = WindowAuditor()
    }

    init(seed: UInt64, window: Int, bodyLimit: Int, resetChance: Int) {
        random = SeededGenerator(seed: seed)
        self.bodyLimit = bodyLimit
        self.resetChance = resetChance
        var settings = HTTP2Settings()
        settings.initialWindow = window
        settings.largestWindow = window + random.below(10_000)
        settings.connectionWindow = 65_535 + random.below(100_000)
        settings.maxFrameSize = 16_384 + random.below(20_000)
        settings.maxConcurrentStreams = 1 + random.below(20)
        var limits = HTTP2Limits()
        // Windows of a few bytes need more updates than a real peer would be forgiven.
        limits.idleFrames = 1_000_000
        limits.abandonedStreams = 1_000_000
        client = HTTP2Connection(role: .client, settings: settings, limits: limits)
        server = HTTP2Connection(role: .server, settings: settings, limits: limits)
    }

    var completedExchanges: Int {
        requests.keys.count { streamID in
            requests[streamID]?.isComplete == true && responses[streamID]?.isComplete == true
        }
    }
    var resetExchanges: Int { resets.count }
    var dataBytes: Int { toServer.auditor.dataBytes + toClient.auditor.dataBytes }

    /// Holds that many exchanges, to the end of both connections' work.
    mutating func run(exchanges: Int) throws {
        var steps = 0
        while requests.count < exchanges || !isOver {
            steps += 1
            guard steps < 300_000, failures.isEmpty else {
                return failures.append("stuck or failed after \(steps) steps")
            }
            switch random.below(6) {
            case 0 where requests.count < exchanges: try open()
            case 1: try send()
            case 2: consume()
            case 3 where resetChance > 0 && random.chance(resetChance): reset()
            case 4: try move(toServer: true)
            default: try move(toServer: false)
            }
        }
        for streamID in requests.keys where !resets.contains(streamID) {
            if requests[streamID]?.isComplete != true { failures.append("request \(streamID)") }
            if responses[streamID]?.isComplete != true { failures.append("response \(streamID)") }
        }
        if !client.isIdle || !server.isIdle { failures.append("a stream is left open") }
        failures += toServer.auditor.violations + toClient.auditor.violations
    }

    private var isOver: Bool {
        toServer.bytes.readableBytes == 0 && toClient.bytes.readableBytes == 0
            && !client.hasOutput && !server.hasOutput
            && requests.allSatisfy { resets.contains($0.key) || ($0.value.isOver && isAnswered($0.key)) }
    }

    private func isAnswered(_ streamID: HTTP2StreamID) -> Bool {
        responses[streamID]?.isOver == true
    }

    private mutating func open() throws {
        guard let streamID = client.openStream() else { return }
        requests[streamID] = makeFlow(streamID)
        let head = try Heads.request("POST /\(streamID) HTTP/1.1\r\nHost: h\r\nX-Filler: \(filler())")
        client.sendRequest(
            streamID,
            head,
            scheme: .https,
            authority: ByteBuffer(string: "h"),
            endsStream: false
        )
    }

    private mutating func makeFlow(_ streamID: HTTP2StreamID) -> MessageFlow {
        MessageFlow(
            streamID,
            length: random.chance(4) ? 0 : random.below(bodyLimit),
            withTrailers: random.chance(3)
        )
    }

    /// Sometimes so long that the head needs a CONTINUATION frame.
    private mutating func filler() -> String {
        String(repeating: "f", count: random.chance(20) ? 40_000 : random.below(100))
    }

    private mutating func send() throws {
        for streamID in requests.keys.sorted() where random.chance(3) {
            let count = random.below(random.chance(4) ? 60_000 : 500)
            try requests[streamID]?.send(on: &client, upTo: count)
            try responses[streamID]?.send(on: &server, upTo: count)
        }
    }

    private mutating func consume() {
        for streamID in requests.keys.sorted() where random.chance(3) {
            let count = random.below(100_000)
            let spare = random.chance(2) ? 0 : random.below(1_000)
            requests[streamID]?.consume(count, spare: spare, on: &server)
            responses[streamID]?.consume(count, spare: spare, on: &client)
        }
    }

    private mutating func reset() {
        let open = client.openStreamIDs.sorted()
        guard !open.isEmpty else { return }
        let streamID = random.pick(open)
        if random.chance(2) {
            client.reset(streamID, code: .cancel)
            forget(streamID)
        } else if responses[streamID] != nil {
            server.reset(streamID, code: .internalError)
            forget(streamID)
        }
    }

    private mutating func forget(_ streamID: HTTP2StreamID) {
        resets.insert(streamID)
        requests[streamID]?.reset()
        responses[streamID]?.reset()
    }

    /// Takes what one side has to send, and moves a piece of what is under way to the other.
    private mutating func move(toServer: Bool) throws {
        if random.chance(2) { takeOutput(toServer: toServer) }
        let count = random.chance(3) ? random.below(100_000) : random.below(30)
        if toServer {
            server.receive(self.toServer.bytes.take(upTo: count))
            while let event = try server.next() { try serverDid(event) }
        } else {
            client.receive(toClient.bytes.take(upTo: count))
            while let event = try client.next() { clientDid(event) }
        }
    }

    private mutating func takeOutput(toServer: Bool) {
        var bytes = toServer ? client.takeOutput() : server.takeOutput()
        if toServer {
            self.toServer.log.append(bytes.readableBytesView)
            self.toServer.bytes.writeBuffer(&bytes)
            for frame in self.toServer.log.take() {
                self.toServer.auditor.sent(frame)
                toClient.auditor.received(frame)
            }
        } else {
            toClient.log.append(bytes.readableBytesView)
            toClient.bytes.writeBuffer(&bytes)
            for frame in toClient.log.take() {
                toClient.auditor.sent(frame)
                self.toServer.auditor.received(frame)
            }
        }
    }

    private mutating func serverDid(_ event: HTTP2Event) throws {
        switch event {
        case .requestHead(let streamID, _, _):
            let head = try Heads.response("HTTP/1.1 200 OK\r\nX-Filler: \(filler())")
            server.sendResponse(streamID, head, endsStream: false)
            responses[streamID] = makeFlow(streamID)
            if resets.contains(streamID) { responses[streamID]?.reset() }
        case .data(let streamID, let bytes): requests[streamID]?.receive(bytes)
        case .end(let streamID, let trailers): requests[streamID]?.end(withTrailers: trailers != nil)
        case .reset(let streamID, _, let error): didReset(streamID, error)
        default: break
        }
    }

    private mutating func clientDid(_ event: HTTP2Event) {
        switch event {
        case .data(let streamID, let bytes): responses[streamID]?.receive(bytes)
        case .end(let streamID, let trailers): responses[streamID]?.end(withTrailers: trailers != nil)
        case .reset(let streamID, _, let error): didReset(streamID, error)
        default: break
        }
    }

    private mutating func didReset(_ streamID: HTTP2StreamID, _ error: HTTP2StreamError?) {
        if let error { failures.append("\(streamID): \(error)") }
        if !resets.contains(streamID) { failures.append("\(streamID) was reset by nobody") }
    }
}

extension ByteBuffer {
    /// The first bytes, at most as many as there are.
    fileprivate mutating func take(upTo count: Int) -> ByteBuffer {
        let taken = readSlice(length: min(count, readableBytes)) ?? ByteBuffer()
        discardReadBytes()
        return taken
    }
}
