/// Keeps account of what one side may send, from the frames alone: neither window may ever be exceeded, nor the largest
/// frame (RFC 9113, sections 4.2 and 6.9).
struct WindowAuditor {
    private(set) var violations: [String] = []
    private(set) var dataBytes = 0
    /// The sender's initial window, which counts until it has acknowledged another one.
    private var initialWindow = 65_535
    private var maxFrameSize = 16_384
    private var announced: [(initialWindow: Int?, maxFrameSize: Int?)] = []
    private var connectionWindow = 65_535
    /// The bytes granted on each stream beside the initial window, less those sent.
    private var granted: [UInt32: Int] = [:]

    /// A frame of the side that is watched.
    mutating func sent(_ frame: FrameLog.Frame) {
        if frame.payload.count > maxFrameSize { violations.append("too large: \(frame.text)") }
        switch frame.type {
        case 0:
            dataBytes += frame.payload.count
            connectionWindow -= frame.payload.count
            granted[frame.streamID, default: 0] -= frame.payload.count
            let rest = initialWindow + (granted[frame.streamID] ?? 0)
            if !frame.payload.isEmpty, rest < 0 || connectionWindow < 0 {
                violations.append("window exceeded: \(frame.text)")
            }
        case 4 where frame.flags & 1 == 1 && !announced.isEmpty:
            let settings = announced.removeFirst()
            initialWindow = settings.initialWindow ?? initialWindow
            maxFrameSize = settings.maxFrameSize ?? maxFrameSize
        default:
            break
        }
    }

    /// A frame of the other side.
    mutating func received(_ frame: FrameLog.Frame) {
        switch frame.type {
        case 4 where frame.flags & 1 == 0:
            var settings: (initialWindow: Int?, maxFrameSize: Int?) = (nil, nil)
            for start in stride(from: 0, to: frame.payload.count, by: 6) {
                switch frame.payload[start + 1] {
                case 4: settings.initialWindow = frame.integer(at: start + 2)
                case 5: settings.maxFrameSize = frame.integer(at: start + 2)
                default: break
                }
            }
            announced.append(settings)
        case 8 where frame.streamID == 0:
            connectionWindow += frame.integer(at: 0)
        case 8:
            granted[frame.streamID, default: 0] += frame.integer(at: 0)
        default:
            break
        }
    }
}
