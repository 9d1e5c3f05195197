import NIOCore

/// Reads a head line by line as its bytes arrive.
struct HeadReader<Line: StartLine>: Sendable {
    private(set) var line: Line?
    private(set) var fields = HeadFields(role: Line.role)
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
                line = try Line(next, of: bytes)
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

    private var tooLarge: MessageError { line == nil ? Line.tooLong : .headerTooLarge }
}
