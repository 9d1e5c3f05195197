import NIOCore

/// Reads a response head line by line as its bytes arrive.
struct ResponseHeadReader: Sendable {
    private(set) var line: StatusLine?
    private(set) var fields = HeadFields(role: .response)
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
            guard end <= limits.headerBytes else { throw .headerTooLarge }
            if line == nil {
                line = try StatusLine(next, of: bytes)
            } else if next.isEmpty {
                try fields.markNominated(in: bytes)
                return end
            } else {
                try fields.read(next, of: bytes, limits: limits)
            }
        }
        guard bytes.count <= limits.headerBytes else { throw .headerTooLarge }
        return nil
    }

    /// Returns what the whole head says about the body (RFC 9112, section 6.3).
    ///
    /// A `Transfer-Encoding` other than `chunked` was refused before. RFC 9112, section 6.3, item 4, would read such a
    /// body until the connection closes, and so does llhttp; but a recipient that knows the coding ends it elsewhere.
    func framing(of line: StatusLine, to method: RequestMethod) throws(MessageError) -> BodyFraming {
        let framing = try fields.framing(line.version)
        let isBodiless =
            line.status < 200 || line.status == 204 || line.status == 304 || method == .head
            || (method == .connect && line.status < 300)
        return isBodiless ? .none : framing ?? .untilClose
    }
}
