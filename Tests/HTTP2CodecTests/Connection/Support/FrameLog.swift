import HTTP2Codec

/// Reads bytes that a connection has sent, by a parser of its own, into frames and lines of text.
struct FrameLog {
    struct Frame: Equatable {
        var type: UInt8
        var flags: UInt8
        var streamID: UInt32
        var payload: [UInt8]
    }

    private var bytes: [UInt8] = []
    private(set) var sawPreface = false

    mutating func append(_ more: some Sequence<UInt8>) {
        self.bytes += more
        if self.bytes.starts(with: FrameText.preface) {
            self.bytes.removeFirst(FrameText.preface.count)
            self.sawPreface = true
        }
    }

    /// The frames that are complete.
    mutating func take() -> [Frame] {
        var frames: [Frame] = []
        var start = 0
        while self.bytes.count - start >= 9 {
            let head = self.bytes[start..<start + 9].map(Int.init)
            let length = head[0] << 16 | head[1] << 8 | head[2]
            guard self.bytes.count - start >= 9 + length else { break }
            frames.append(
                Frame(
                    type: UInt8(head[3]),
                    flags: UInt8(head[4]),
                    streamID: UInt32(head[5] << 24 | head[6] << 16 | head[7] << 8 | head[8]),
                    payload: Array(self.bytes[start + 9..<start + 9 + length])
                )
            )
            start += 9 + length
        }
        self.bytes.removeFirst(start)
        return frames
    }

    /// Bytes of a frame that is not complete.
    var restCount: Int { self.bytes.count }
}

extension FrameLog.Frame {
    /// Such as `RST_STREAM 1 cancel` or `DATA+ES 3 17`.
    var text: String {
        let name = FrameText.types.first { $0.value == self.type }?.key ?? String(self.type)
        switch self.type {
        case 0: return "\(name)\(self.flag(0x01, "ES")) \(self.streamID) \(self.payload.count)"
        case 1: return "\(name)\(self.flag(0x01, "ES"))\(self.flag(0x04, "EH")) \(self.streamID)"
        case 3: return "\(name) \(self.streamID) \(self.code(at: 0))"
        case 4: return self.flags & 0x01 != 0 ? "\(name)+ACK" : "\(name) \(self.payload.count / 6)"
        case 6: return "\(name)\(self.flag(0x01, "ACK")) \(self.payload.map { String($0, radix: 16) }.joined())"
        case 7: return "\(name) \(self.integer(at: 0)) \(self.code(at: 4))"
        case 8: return "\(name) \(self.streamID) \(self.integer(at: 0))"
        case 9: return "\(name)\(self.flag(0x04, "EH")) \(self.streamID) \(self.payload.count)"
        default: return "\(name) \(self.streamID)"
        }
    }

    func integer(at place: Int) -> Int {
        self.payload[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    private func code(at place: Int) -> String {
        HTTP2ErrorCode(rawValue: UInt32(self.integer(at: place))).label
    }

    private func flag(_ bit: UInt8, _ name: String) -> String {
        self.flags & bit != 0 ? "+\(name)" : ""
    }
}
