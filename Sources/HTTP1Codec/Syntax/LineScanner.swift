/// Finds lines that end with CR LF, and refuses every other control character on the way.
///
/// Positions count from the start of the section being read, so they stay true when the buffer moves. What has been
/// looked at is not looked at again: a sender that sends one byte at a time costs no more than any other.
struct LineScanner: Sendable {
    /// The index at which the line that is awaited begins.
    private(set) var lineStart = 0
    /// The position before which the awaited line holds no control character.
    private var searched = 0

    /// The next complete line without its CR LF, or `nil` if more bytes are needed.
    mutating func next(in bytes: Span<UInt8>) throws(MessageError) -> Range<Int>? {
        let end = ByteScan.firstControl(in: bytes, from: searched)
        searched = end
        guard end < bytes.count else { return nil }
        switch bytes[end] {
        case 0x0D: break
        case 0x0A: throw .bareLineFeed
        default: throw .controlByte
        }
        guard end &+ 1 < bytes.count else { return nil }
        guard bytes[end &+ 1] == 0x0A else { throw .bareCarriageReturn }
        let line = lineStart..<end
        lineStart = end &+ 2
        searched = end &+ 2
        return line
    }

    mutating func reset() {
        lineStart = 0
        searched = 0
    }
}
