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
        self.random = SeededGenerator(seed: seed)
        self.bodyLimit = bodyLimit
        self.resetChance = resetChance
        var settings = HTTP2Settings()
        settings.initialWindow = window
        settings.largestWindow = window + self.random.below(10_000)
        settings.connectionWindow = 65_535 + self.random.below(100_000)
        settings.maxFrameSize = 16_384 + self.random.below(20_000)
        settings.maxConcurrentStreams = 1 + self.random.below(20)
        var limits = HTTP2Limits()
        // Windows of a few bytes need more updates than a real peer would be forgiven.
        limits.idleFrames = 1_000_000
        limits.abandonedStreams = 1_000_000
        self.client = HTTP2Connection(role: .client, settings: settings, limits: limits)
        self.server = HTTP2Connection(role: .server, settings: settings, limits: limits)
    }

    var completedExchanges: Int {
        self.requests.keys.count { streamID in
            self.requests[streamID]?.isComplete == true && self.responses[streamID]?.isComplete == true
        }
    }
    var resetExchanges: Int { self.resets.count }
    var dataBytes: Int { self.toServer.auditor.dataBytes + self.toClient.auditor.dataBytes }

    /// Holds that many exchanges, to the end of both connections' work.
    mutating func run(exchanges: Int) throws {
        var steps = 0
        while self.requests.count < exchanges || !self.isOver {
            steps += 1
            guard steps < 300_000, self.failures.isEmpty else {
                return self.failures.append("stuck or failed after \(steps) steps")
            }
            switch self.random.below(6) {
            case 0 where self.requests.count < exchanges: try self.open()
            case 1: try self.send()
            case 2: self.consume()
            case 3 where self.resetChance > 0 && self.random.chance(self.resetChance): self.reset()
            case 4: try self.move(toServer: true)
            default: try self.move(toServer: false)
            }
        }
        for streamID in self.requests.keys where !self.resets.contains(streamID) {
            if self.requests[streamID]?.isComplete != true { self.failures.append("request \(streamID)") }
            if self.responses[streamID]?.isComplete != true { self.failures.append("response \(streamID)") }
        }
        if !self.client.isIdle || !self.server.isIdle { self.failures.append("a stream is left open") }
        self.failures += self.toServer.auditor.violations + self.toClient.auditor.violations
    }

    private var isOver: Bool {
        self.toServer.bytes.readableBytes == 0 && self.toClient.bytes.readableBytes == 0
            && !self.client.hasOutput && !self.server.hasOutput
            && self.requests.allSatisfy { self.resets.contains($0.key) || ($0.value.isOver && self.isAnswered($0.key)) }
    }

    private func isAnswered(_ streamID: HTTP2StreamID) -> Bool {
        self.responses[streamID]?.isOver == true
    }

    private mutating func open() throws {
        guard let streamID = self.client.openStream() else { return }
        self.requests[streamID] = self.makeFlow(streamID)
        let head = try Heads.request("POST /\(streamID) HTTP/1.1\r\nHost: h\r\nX-Filler: \(self.filler())")
        self.client.sendRequest(
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
            length: self.random.chance(4) ? 0 : self.random.below(self.bodyLimit),
            withTrailers: self.random.chance(3)
        )
    }

    /// Sometimes so long that the head needs a CONTINUATION frame.
    private mutating func filler() -> String {
        String(repeating: "f", count: self.random.chance(20) ? 40_000 : self.random.below(100))
    }

    private mutating func send() throws {
        for streamID in self.requests.keys.sorted() where self.random.chance(3) {
            let count = self.random.below(self.random.chance(4) ? 60_000 : 500)
            try self.requests[streamID]?.send(on: &self.client, upTo: count)
            try self.responses[streamID]?.send(on: &self.server, upTo: count)
        }
    }

    private mutating func consume() {
        for streamID in self.requests.keys.sorted() where self.random.chance(3) {
            let count = self.random.below(100_000)
            let spare = self.random.chance(2) ? 0 : self.random.below(1_000)
            self.requests[streamID]?.consume(count, spare: spare, on: &self.server)
            self.responses[streamID]?.consume(count, spare: spare, on: &self.client)
        }
    }

    private mutating func reset() {
        let open = self.client.openStreamIDs.sorted()
        guard !open.isEmpty else { return }
        let streamID = self.random.pick(open)
        if self.random.chance(2) {
            self.client.reset(streamID, code: .cancel)
            self.forget(streamID)
        } else if self.responses[streamID] != nil {
            self.server.reset(streamID, code: .internalError)
            self.forget(streamID)
        }
    }

    private mutating func forget(_ streamID: HTTP2StreamID) {
        self.resets.insert(streamID)
        self.requests[streamID]?.reset()
        self.responses[streamID]?.reset()
    }

    /// Takes what one side has to send, and moves a piece of what is under way to the other.
    private mutating func move(toServer: Bool) throws {
        if self.random.chance(2) { self.takeOutput(toServer: toServer) }
        let count = self.random.chance(3) ? self.random.below(100_000) : self.random.below(30)
        if toServer {
            self.server.receive(self.toServer.bytes.take(upTo: count))
            while let event = try self.server.next() { try self.serverDid(event) }
        } else {
            self.client.receive(self.toClient.bytes.take(upTo: count))
            while let event = try self.client.next() { self.clientDid(event) }
        }
    }

    private mutating func takeOutput(toServer: Bool) {
        var bytes = toServer ? self.client.takeOutput() : self.server.takeOutput()
        if toServer {
            self.toServer.log.append(bytes.readableBytesView)
            self.toServer.bytes.writeBuffer(&bytes)
            for frame in self.toServer.log.take() {
                self.toServer.auditor.sent(frame)
                self.toClient.auditor.received(frame)
            }
        } else {
            self.toClient.log.append(bytes.readableBytesView)
            self.toClient.bytes.writeBuffer(&bytes)
            for frame in self.toClient.log.take() {
                self.toClient.auditor.sent(frame)
                self.toServer.auditor.received(frame)
            }
        }
    }

    private mutating func serverDid(_ event: HTTP2Event) throws {
        switch event {
        case .requestHead(let streamID, _, _):
            let head = try Heads.response("HTTP/1.1 200 OK\r\nX-Filler: \(self.filler())")
            self.server.sendResponse(streamID, head, endsStream: false)
            self.responses[streamID] = self.makeFlow(streamID)
            if self.resets.contains(streamID) { self.responses[streamID]?.reset() }
        case .data(let streamID, let bytes): self.requests[streamID]?.receive(bytes)
        case .end(let streamID, let trailers): self.requests[streamID]?.end(withTrailers: trailers != nil)
        case .reset(let streamID, _, let error): self.didReset(streamID, error)
        default: break
        }
    }

    private mutating func clientDid(_ event: HTTP2Event) {
        switch event {
        case .data(let streamID, let bytes): self.responses[streamID]?.receive(bytes)
        case .end(let streamID, let trailers): self.responses[streamID]?.end(withTrailers: trailers != nil)
        case .reset(let streamID, _, let error): self.didReset(streamID, error)
        default: break
        }
    }

    private mutating func didReset(_ streamID: HTTP2StreamID, _ error: HTTP2StreamError?) {
        if let error { self.failures.append("\(streamID): \(error)") }
        if !self.resets.contains(streamID) { self.failures.append("\(streamID) was reset by nobody") }
    }
}

extension ByteBuffer {
    /// The first bytes, at most as many as there are.
    fileprivate mutating func take(upTo count: Int) -> ByteBuffer {
        let taken = self.readSlice(length: min(count, self.readableBytes)) ?? ByteBuffer()
        self.discardReadBytes()
        return taken
    }
}
