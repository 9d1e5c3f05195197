/// The members of a comma-separated list (RFC 9110, section 5.6.1) without the white space around them; empty members
/// are left out, as a recipient must.
struct ListMembers {
    private var position: Int
    private let end: Int

    init(of value: Range<Int>) {
        position = value.lowerBound
        end = value.upperBound
    }

    mutating func next(in bytes: Span<UInt8>) -> Range<Int>? {
        while position < end {
            var start = position
            var stop = start
            while stop < end, bytes[stop] != 0x2C { stop &+= 1 }
            position = stop &+ 1
            while start < stop, bytes[start].isWhitespace { start &+= 1 }
            while stop > start, bytes[stop &- 1].isWhitespace { stop &-= 1 }
            if start < stop { return start..<stop }
        }
        return nil
    }
}
