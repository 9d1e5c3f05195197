import NIOCore

/// Bytes of a client about which implementations decide in different ways.
struct Probe {
    let name: String
    /// The bytes that come after the opening.
    let input: ByteBuffer
    var repetitions = 1

    static let all = [
        Probe(name: "a field value that is not UTF-8", input: request(field: "x-a", value: [0x63, 0x61, 0x66, 0xE9])),
        Probe(name: "a field value with the byte 1", input: request(field: "x-a", value: [0x61, 0x01, 0x62])),
        Probe(name: "Host that differs from :authority", input: request(field: "host", value: Array("b".utf8))),
        Probe(name: "a head of 72 KB", input: largeRequest),
        Probe(name: "10,000 WINDOW_UPDATE frames", input: frame(type: 8, payload: [0, 0, 0, 1]), repetitions: 10_000),
        Probe(name: "10,000 frames of an unknown type", input: frame(type: 32, payload: []), repetitions: 10_000),
        Probe(
            name: "10,000 PING frames",
            input: frame(type: 6, payload: [0, 0, 0, 0, 0, 0, 0, 0]),
            repetitions: 10_000
        ),
        Probe(name: "10,000 SETTINGS frames", input: frame(type: 4, payload: []), repetitions: 10_000),
        Probe(
            name: "10,000 empty CONTINUATION frames",
            input: continuations
        ),
        Probe(name: "2,000 streams that are reset at once", input: resets),
    ]

    /// GET, https, `/` and the authority `a`.
    private static let start: [UInt8] = [0x82, 0x87, 0x84, 0x41, 1, 0x61]

    private static func frame(type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, payload: [UInt8]) -> [UInt8] {
        var frame = ByteBuffer()
        frame.writeFrame(type: type, flags: flags, stream: stream, payload: ByteBuffer(bytes: payload))
        return Array(buffer: frame)
    }

    private static func request(field: String, value: [UInt8]) -> [UInt8] {
        let block = start + [0, UInt8(field.utf8.count)] + Array(field.utf8) + [UInt8(value.count)] + value
        return frame(type: 1, flags: 5, stream: 1, payload: block)
    }

    /// A request in HEADERS and four CONTINUATION frames.
    private static var largeRequest: [UInt8] {
        var block = start[...]
        for letter in UInt8(ascii: "a")...UInt8(ascii: "r") {
            block += [0, 3, 0x78, 0x2D, letter, 0x7F, 0xA1, 0x1E] + [UInt8](repeating: 0x61, count: 4_000)
        }
        var frames = frame(type: 1, flags: 1, stream: 1, payload: Array(block.prefix(16_384)))
        block = block.dropFirst(16_384)
        while !block.isEmpty {
            let flags: UInt8 = block.count > 16_384 ? 0 : 4
            frames += frame(type: 9, flags: flags, stream: 1, payload: Array(block.prefix(16_384)))
            block = block.dropFirst(16_384)
        }
        return frames
    }

    private static var continuations: [UInt8] {
        var frames = frame(type: 1, flags: 1, stream: 1, payload: start)
        for _ in 0..<10_000 { frames += frame(type: 9, stream: 1, payload: []) }
        return frames
    }

    private static var resets: [UInt8] {
        var frames: [UInt8] = []
        for stream in stride(from: UInt32(1), to: 4_001, by: 2) {
            frames += frame(type: 1, flags: 4, stream: stream, payload: start)
            frames += frame(type: 3, stream: stream, payload: [0, 0, 0, 8])
        }
        return frames
    }

    private init(name: String, input: [UInt8], repetitions: Int = 1) {
        self.name = name
        self.input = ByteBuffer(bytes: input)
        self.repetitions = repetitions
    }
}
