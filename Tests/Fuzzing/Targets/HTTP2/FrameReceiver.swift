import Bytes
import HTTP1Codec
import NIOCore

@testable import HTTP2Codec

/// A connection with a caller that answers as the script says, and keeps a transcript.
///
/// What the caller does depends on the events alone, and not on the pieces in which a body comes: so two connections
/// that received the same bytes have to have done the same.
struct FrameReceiver {
    private var connection: HTTP2Connection
    private(set) var transcript: [String] = []
    private(set) var output = ByteBuffer()
    private(set) var hasFailed = false
    /// The bytes that the caller's own calls may have added to the output.
    private(set) var allowance = 0
    private var unreported: [HTTP2StreamID: Int] = [:]
    private let answers: UInt8
    private let role: HTTP2Role

    private static let response = Self.responseHead()
    private static let request = Self.requestHead()

    init(role: HTTP2Role, answers: UInt8) {
        var settings = HTTP2Settings()
        settings.maxConcurrentStreams = 8
        settings.initialWindow = 65_536
        connection = HTTP2Connection(role: role, settings: settings)
        self.answers = answers
        self.role = role
        guard role == .client else { return }
        for index in 0..<4 {
            guard let streamID = connection.openStream() else { continue }
            let endsStream = answers >> index & 1 == 0
            connection.sendRequest(
                streamID,
                Self.request,
                scheme: .https,
                authority: ByteBuffer(string: "h"),
                endsStream: endsStream
            )
            if !endsStream { send(streamID, 40_000) }
            allowance += 200
        }
    }

    mutating func receive(_ bytes: [UInt8]) {
        connection.receive(ByteBuffer(bytes: bytes))
        do throws(HTTP2ConnectionError) {
            while let event = try connection.next() { react(to: event) }
        } catch {
            transcript.append("failed: \(error)")
            hasFailed = true
        }
    }

    /// Takes what is to be sent, and everything that is kept into account.
    mutating func finish() -> Int {
        var output = connection.takeOutput()
        self.output.writeBuffer(&output)
        return connection.keptBytes
    }

    private mutating func react(to event: HTTP2Event) {
        switch event {
        case .data(let streamID, let bytes):
            unreported[streamID, default: 0] += bytes.readableBytes
            if transcript.last?.hasPrefix("data \(streamID) ") == true { transcript.removeLast() }
            return transcript.append("data \(streamID) \(unreported[streamID] ?? 0)")
        case .requestHead(let streamID, let head, let endsStream):
            transcript.append("head \(streamID) \(String(buffer: head.bytes)) \(endsStream)")
            answer(streamID)
        case .responseHead(let streamID, let head, let endsStream):
            transcript.append("head \(streamID) \(String(buffer: head.bytes)) \(endsStream)")
        case .end(let streamID, let trailers):
            transcript.append("end \(streamID) \(trailers.map { String(buffer: $0.bytes) } ?? "")")
        case .reset(let streamID, let code, let error):
            transcript.append("reset \(streamID) \(code) \(error.map { "\($0)" } ?? "")")
        case .writable(let streamID):
            transcript.append("writable \(streamID)")
        case .refused(let streamID, let error, let status):
            transcript.append("refused \(streamID) \(error) \(status)")
            connection.sendAnswer(streamID, status: status, fields: [:], endsStream: true)
            allowance += 64
        case .goAway(let last, let code, let text):
            transcript.append("goaway \(last) \(code) \(String(buffer: text))")
        case .pong(let value):
            transcript.append("pong \(value)")
        }
        for (streamID, count) in unreported.sorted(by: { $0.key < $1.key }) where count > 0 {
            connection.consumed(streamID, bytes: count, spare: answers & 0x40 == 0 ? 0 : 1_000)
            allowance += 13
        }
        unreported.removeAll()
    }

    private mutating func answer(_ streamID: HTTP2StreamID) {
        allowance += 200
        switch answers >> (streamID >> 1 & 3) & 3 {
        case 0:
            connection.sendResponse(streamID, Self.response, endsStream: true)
        case 1:
            connection.sendResponse(streamID, Self.response, endsStream: false)
            send(streamID, 40_000)
        case 2:
            connection.stopReceiving(streamID)
            connection.sendAnswer(streamID, status: 403, fields: ["A": "b"], endsStream: true)
        default:
            connection.reset(streamID, code: .cancel)
        }
    }

    private mutating func send(_ streamID: HTTP2StreamID, _ count: Int) {
        connection.sendData(streamID, ByteBuffer(repeating: 0x61, count: count), endsStream: true)
        // The peer may let us have no more than a byte of it in a frame.
        allowance += 10 * count
    }

    private static func responseHead() -> ResponseHead {
        var decoder = ResponseDecoder()
        decoder.expect(responseTo: .get)
        decoder.append(ByteBuffer(string: "HTTP/1.1 200 OK\r\nX-A: b\r\nServer: s\r\n\r\n"))
        guard case .head(let head)? = try? decoder.next() else { fatalError("no head") }
        return head
    }

    private static func requestHead() -> RequestHead {
        var decoder = RequestDecoder()
        decoder.append(ByteBuffer(string: "POST /a HTTP/1.1\r\nHost: h\r\nX-A: b\r\n\r\n"))
        guard case .head(let head)? = try? decoder.next() else { fatalError("no head") }
        return head
    }
}
