import NIOCore

/// Reads a request head line by line as its bytes arrive.
struct RequestHeadReader: Sendable {
    private(set) var line: RequestLine?
    private(set) var fields = HeadFields(role: .request)
    private var lines = LineScanner()

    mutating func reset() {
        line = nil
        fields.reset()
        lines.reset()
    }

    /// - Parameter input: Begins with the first byte of the head.
    /// - Returns: The length of the head with its empty line, or `nil` if more bytes are needed.
    mutating func read(_ input: InputBuffer, limits: MessageLimits) throws(MessageError) -> Int? {
        let bytes = input.bytes.readableBytesUInt8Span
        while let next = try lines.next(in: bytes) {
            let end = next.upperBound &+ 2
            guard end <= limits.headerBytes else { throw tooLarge }
            if line == nil {
                line = try RequestLine(next, of: bytes)
            } else if next.isEmpty {
                try fields.markNominated(in: bytes)
                return end
            } else {
                try fields.read(next, of: bytes, limits: limits)
            }
        }
        guard bytes.count <= limits.headerBytes else { throw tooLarge }
        return nil
    }

    private var tooLarge: MessageError { line == nil ? .targetTooLong : .headerTooLarge }

    /// Returns what the whole head says about the body (RFC 9112, section 6.3).
    func framing(of line: RequestLine) throws(MessageError) -> BodyFraming {
        if line.version == .http11, !fields.present.contains(.host) { throw .hostMissing }
        let framing = try fields.framing(line.version) ?? .none
        guard line.method == .connect else { return framing }
        guard framing == .none || framing == .length(0) else { throw .connectWithBody }
        return .none
    }
}
