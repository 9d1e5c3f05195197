import Bytes
import HTTP1Codec
import NIOCore

@testable import HTTP2Codec

/// Plays a script to a connection: frames of the peer, and calls of the caller with `!` before them.
///
/// Unless the role ends with `-bare`, the connection has begun: the preface and an empty SETTINGS frame have come, our
/// settings are acknowledged, and what was sent by then is forgotten.
struct Playbook {
    private(set) var connection: HTTP2Connection
    private(set) var events: [String] = []
    private(set) var output: [String] = []
    private var log = FrameLog()
    private let stepsByByte: Bool
    private var nextStreamID = 1

    /// - Parameter setting: The role, and settings such as `window=100`.
    init(_ setting: String, byByte: Bool = false) throws {
        let words = setting.split(separator: " ")
        var settings = HTTP2Settings()
        var limits = HTTP2Limits()
        var messageLimits = MessageLimits()
        for word in words.dropFirst() {
            let parts = word.split(separator: "=")
            guard parts.count == 2, let value = Int(parts[1]) else { throw FrameText.Malformed(text: setting) }
            switch parts[0] {
            case "window": settings.initialWindow = value
            case "largest": settings.largestWindow = value
            case "connection": settings.connectionWindow = value
            case "streams": settings.maxConcurrentStreams = value
            case "frame": settings.maxFrameSize = value
            case "block": limits.headerBlockBytes = value
            case "continuations": limits.continuationFrames = value
            case "abandoned": limits.abandonedStreams = value
            case "idle": limits.idleFrames = value
            case "waiting": limits.waitingAnswers = value
            case "header": messageLimits.headerBytes = value
            case "interim": messageLimits.informationalResponses = value
            default: throw FrameText.Malformed(text: setting)
            }
        }
        let role: HTTP2Role = setting.hasPrefix("client") ? .client : .server
        self.connection = HTTP2Connection(
            role: role,
            settings: settings,
            limits: limits,
            messageLimits: messageLimits
        )
        self.stepsByByte = byByte
        if words.first?.hasSuffix("-bare") != true {
            if role == .server { try self.play("PREFACE") }
            try self.play("SETTINGS 0; SETTINGS+ACK 0")
        }
        _ = self.connection.takeOutput()
        self.events = []
        self.output = []
        self.log = FrameLog()
    }

    mutating func play(_ script: String) throws {
        for step in script.split(separator: ";") {
            let step = step.drop { $0 == " " }
            if step.hasPrefix("!") {
                try self.call(step.dropFirst().split(separator: " ").map(String.init))
                self.drain()
            } else {
                self.receive(try FrameText.bytes(step))
            }
        }
    }

    mutating func receive(_ bytes: [UInt8]) {
        if self.stepsByByte {
            for byte in bytes {
                self.connection.receive(ByteBuffer(bytes: [byte]))
                self.drain()
            }
        } else {
            self.connection.receive(ByteBuffer(bytes: bytes))
            self.drain()
        }
    }

    private mutating func drain() {
        do throws(HTTP2ConnectionError) {
            while let event = try self.connection.next() { self.note(event) }
        } catch {
            let line = "error \(error.label)"
            if self.events.last != line { self.events.append(line) }
        }
        self.log.append(self.connection.takeOutput().readableBytesView)
        self.output += self.log.take().map(\.text)
    }

    /// Pieces of one body are joined, because it depends on the chunking how many there are.
    private mutating func note(_ event: HTTP2Event) {
        if case .data(let streamID, let bytes) = event, let last = self.events.last,
            last.hasPrefix("data \(streamID) ")
        {
            self.events[self.events.count - 1] += String(buffer: bytes)
        } else {
            self.events.append(event.text)
        }
    }

    private mutating func call(_ words: [String]) throws {
        let number = words.count > 1 ? Int(words[1]) ?? 0 : 0
        let streamID = HTTP2StreamID(number)
        let value = words.count > 2 ? Int(words[2]) ?? 0 : 0
        let ends = words.last == "end"
        switch words[0] {
        case "get", "head", "post":
            let method = words[0].uppercased()
            guard let opened = self.connection.openStream() else { return self.events.append("no stream") }
            let head = try Heads.request("\(method) / HTTP/1.1\r\nHost: h")
            self.connection.sendRequest(
                opened,
                head,
                scheme: .https,
                authority: ByteBuffer(string: "h"),
                endsStream: method != "POST"
            )
        case "open":
            self.events.append(self.connection.openStream().map { "opened \($0)" } ?? "no stream")
        case "answer":
            self.connection.sendAnswer(streamID, status: value, fields: ByteBuffer(), endsStream: ends)
        case "data":
            self.connection.sendData(streamID, ByteBuffer(repeating: 0x61, count: value), endsStream: ends)
        case "trailers":
            self.connection.sendTrailers(streamID, try Heads.trailers("A: b"))
        case "reset":
            self.connection.reset(streamID, code: HTTP2ErrorCode(rawValue: UInt32(value)))
        case "stop":
            self.connection.stopReceiving(streamID)
        case "consumed":
            let spare = words.count > 3 ? Int(words[3]) ?? 0 : 0
            let growth = self.connection.consumed(streamID, bytes: value, spare: spare)
            if growth > 0 { self.events.append("grown \(growth)") }
        case "goaway":
            self.connection.goAway(refusingLaterStreams: words.last == "final")
        case "ping":
            self.connection.sendPing(UInt64(number))
        case "tick":
            self.connection.tick(seconds: number)
        case "pending":
            self.events.append("pending \(self.connection.pendingBytes(streamID))")
        case "stalled":
            let stalled = self.connection.stalledStreams(seconds: number).sorted()
            self.events.append("stalled" + stalled.map { " \($0)" }.joined())
        case "openable":
            self.events.append("openable \(self.connection.openableStreams)")
        case "idle":
            self.events.append(self.connection.isIdle ? "idle" : "busy")
        default:
            throw FrameText.Malformed(text: words.joined(separator: " "))
        }
    }
}

extension Playbook {
    /// The error that ended the connection.
    var error: String? { self.events.last { $0.hasPrefix("error ") } }

    /// Plays a script several times, in which `N` is the number of a stream that is new each time.
    mutating func `repeat`(_ script: String, count: Int, from first: Int? = nil) throws {
        if let first { self.nextStreamID = first }
        for _ in 0..<count {
            try self.play(script.replacing(" N", with: " \(self.nextStreamID)"))
            self.nextStreamID += 2
        }
    }

    /// Takes off what the preparation of a test has counted.
    mutating func forgetSpent() {
        self.connection.tick(seconds: 1_000)
    }
}
