/// Finds lines that end with CR LF, and refuses every other control character on the way.
///
/// Positions count from the start of the section being read, so they stay true when the buffer moves. What has been
/// looked at is not looked at again: a sender that sends one octet at a time costs no more than any other.
struct LineScanner: Sendable {
    /// Where the line that is awaited begins.
    private(set) var lineStart = 0
    /// Before this, the awaited line holds no control character.
    private var searched = 0

    /// The next complete line without its CR LF, or `nil` if more octets are needed.
    mutating func next(in octets: Span<UInt8>) throws(MessageError) -> Range<Int>? {
        let end = OctetScan.firstControl(in: octets, from: self.searched)
        self.searched = end
        guard end < octets.count else { return nil }
        switch octets[end] {
        case 0x0D: break
        case 0x0A: throw .bareLineFeed
        default: throw .controlOctet
        }
        guard end &+ 1 < octets.count else { return nil }
        guard octets[end &+ 1] == 0x0A else { throw .bareCarriageReturn }
        let line = self.lineStart..<end
        self.lineStart = end &+ 2
        self.searched = end &+ 2
        return line
    }

    mutating func reset() {
        self.lineStart = 0
        self.searched = 0
    }
}
