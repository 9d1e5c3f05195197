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
        connection = HTTP2Connection(
            role: role,
            settings: settings,
            limits: limits,
            messageLimits: messageLimits
        )
        stepsByByte = byByte
        if words.first?.hasSuffix("-bare") != true {
            if role == .server { try play("PREFACE") }
            try play("SETTINGS 0; SETTINGS+ACK 0")
        }
        _ = connection.takeOutput()
        events = []
        output = []
        log = FrameLog()
    }

    mutating func play(_ script: String) throws {
        for step in script.split(separator: ";") {
            let step = step.drop { $0 == " " }
            if step.hasPrefix("!") {
                try call(step.dropFirst().split(separator: " ").map(String.init))
                drain()
            } else {
                receive(try FrameText.bytes(step))
            }
        }
    }

    mutating func receive(_ bytes: [UInt8]) {
        if stepsByByte {
            for byte in bytes {
                connection.receive(ByteBuffer(bytes: [byte]))
                drain()
            }
        } else {
            connection.receive(ByteBuffer(bytes: bytes))
            drain()
        }
    }

    private mutating func drain() {
        do throws(HTTP2ConnectionError) {
            while let event = try connection.next() { note(event) }
        } catch {
            let line = "error \(error.label)"
            if events.last != line { events.append(line) }
        }
        log.append(connection.takeOutput().readableBytesView)
        output += log.take().map(\.text)
    }

    /// Pieces of one body are joined, because it depends on the chunking how many there are.
    private mutating func note(_ event: HTTP2Event) {
        if case .data(let streamID, let bytes) = event, let last = events.last,
            last.hasPrefix("data \(streamID) ")
        {
            events[events.count - 1] += String(buffer: bytes)
        } else {
            events.append(event.text)
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
            guard let opened = connection.openStream() else { return events.append("no stream") }
            let head = try Heads.request("\(method) / HTTP/1.1\r\nHost: h")
            connection.sendRequest(
                opened,
                head,
                scheme: .https,
                authority: ByteBuffer(string: "h"),
                endsStream: method != "POST"
            )
        case "open":
            events.append(connection.openStream().map { "opened \($0)" } ?? "no stream")
        case "answer":
            connection.sendAnswer(streamID, status: value, fields: [:], endsStream: ends)
        case "data":
            connection.sendData(streamID, ByteBuffer(repeating: 0x61, count: value), endsStream: ends)
        case "trailers":
            connection.sendTrailers(streamID, try Heads.trailers("A: b"))
        case "reset":
            connection.reset(streamID, code: HTTP2ErrorCode(rawValue: UInt32(value)))
        case "stop":
            connection.stopReceiving(streamID)
        case "consumed":
            let spare = words.count > 3 ? Int(words[3]) ?? 0 : 0
            let growth = connection.consumed(streamID, bytes: value, spare: spare)
            if growth > 0 { events.append("grown \(growth)") }
        case "goaway":
            connection.goAway(refusingLaterStreams: words.last == "final")
        case "ping":
            connection.sendPing(UInt64(number))
        case "tick":
            connection.tick(seconds: number)
        case "pending":
            events.append("pending \(connection.pendingBytes(streamID))")
        case "stalled":
            let stalled = connection.stalledStreams(seconds: number).sorted()
            events.append("stalled" + stalled.map { " \($0)" }.joined())
        case "openable":
            events.append("openable \(connection.openableStreams)")
        case "idle":
            events.append(connection.isIdle ? "idle" : "busy")
        default:
            throw FrameText.Malformed(text: words.joined(separator: " "))
        }
    }
}

extension Playbook {
    /// The error that ended the connection.
    var error: String? { events.last { $0.hasPrefix("error ") } }

    /// Plays a script several times, in which `N` is the number of a stream that is new each time.
    mutating func `repeat`(_ script: String, count: Int, from first: Int? = nil) throws {
        if let first { nextStreamID = first }
        for _ in 0..<count {
            try play(script.replacing(" N", with: " \(nextStreamID)"))
            nextStreamID += 2
        }
    }

    /// Takes off what the preparation of a test has counted.
    mutating func forgetSpent() {
        connection.tick(seconds: 1_000)
    }
}
