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
        bytes += more
        if bytes.starts(with: FrameText.preface) {
            bytes.removeFirst(FrameText.preface.count)
            sawPreface = true
        }
    }

    /// The frames that are complete.
    mutating func take() -> [Frame] {
        var frames: [Frame] = []
        var start = 0
        while bytes.count - start >= 9 {
            let head = bytes[start..<start + 9].map(Int.init)
            let length = head[0] << 16 | head[1] << 8 | head[2]
            guard bytes.count - start >= 9 + length else { break }
            frames.append(
                Frame(
                    type: UInt8(head[3]),
                    flags: UInt8(head[4]),
                    streamID: UInt32(head[5] << 24 | head[6] << 16 | head[7] << 8 | head[8]),
                    payload: Array(bytes[start + 9..<start + 9 + length])
                )
            )
            start += 9 + length
        }
        bytes.removeFirst(start)
        return frames
    }

    /// Bytes of a frame that is not complete.
    var restCount: Int { bytes.count }
}

extension FrameLog.Frame {
    /// The frame in words, such as `RST_STREAM 1 cancel` or `DATA+ES 3 17`.
    var text: String {
        let name = FrameText.types.first { $0.value == type }?.key ?? String(type)
        switch type {
        case 0: return "\(name)\(flag(0x01, "ES")) \(streamID) \(payload.count)"
        case 1: return "\(name)\(flag(0x01, "ES"))\(flag(0x04, "EH")) \(streamID)"
        case 3: return "\(name) \(streamID) \(code(at: 0))"
        case 4: return flags & 0x01 != 0 ? "\(name)+ACK" : "\(name) \(payload.count / 6)"
        case 6: return "\(name)\(flag(0x01, "ACK")) \(payload.map { String($0, radix: 16) }.joined())"
        case 7: return "\(name) \(integer(at: 0)) \(code(at: 4))"
        case 8: return "\(name) \(streamID) \(integer(at: 0))"
        case 9: return "\(name)\(flag(0x04, "EH")) \(streamID) \(payload.count)"
        default: return "\(name) \(streamID)"
        }
    }

    func integer(at place: Int) -> Int {
        payload[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    private func code(at place: Int) -> String {
        HTTP2ErrorCode(rawValue: UInt32(integer(at: place))).label
    }

    private func flag(_ bit: UInt8, _ name: String) -> String {
        flags & bit != 0 ? "+\(name)" : ""
    }
}
