import HTTP1Codec

/// The number of bytes of DATA that a message may still have (RFC 9113, section 8.1.1).
enum BodyExpectation: Sendable, Equatable {
    case unknown
    case forbidden
    case bytes(UInt64)

    init(_ framing: BodyFraming) {
        switch framing {
        case .none: self = .forbidden
        case .length(let length): self = .bytes(length)
        case .chunked, .untilClose, .endOfStream: self = .unknown
        }
    }

    /// Counts the data of one frame.
    mutating func receive(_ count: Int) throws(HTTP2StreamError) {
        switch self {
        case .unknown: return
        case .forbidden:
            guard count == 0 else { throw .bodyForbidden }
        case .bytes(let rest):
            guard count <= rest else { throw .contentLengthExceeded }
            self = .bytes(rest - UInt64(count))
        }
    }

    /// Judges the end of the body.
    func end() throws(HTTP2StreamError) {
        if case .bytes(let rest) = self, rest > 0 { throw .contentLengthNotReached }
    }
}
