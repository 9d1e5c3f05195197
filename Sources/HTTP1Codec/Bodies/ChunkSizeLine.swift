import Bytes

/// `chunk-size [ chunk-ext ]` (RFC 9112, section 7.1).
package struct ChunkSizeLine {
    package let size: UInt64
    /// The line with its CR LF.
    let lineBytes: Int
    /// The bytes that the line holds beyond sixteen digits: extensions, and zeros that only cost time.
    let excessBytes: Int

    /// Reads a line without its CR LF. White space, which RFC 9112 calls bad where it allows it, is refused everywhere.
    package init(_ line: Span<UInt8>) throws(MessageError) {
        var size: UInt64 = 0
        var index = 0
        while index < line.count, let digit = line[index].hexadecimalValue {
            guard size >> 56 == 0 else { throw .chunkSizeTooLarge }
            size = size << 4 | UInt64(digit)
            index &+= 1
        }
        guard index > 0 else { throw .chunkSizeMalformed }
        self.size = size
        lineBytes = line.count + 2
        excessBytes = line.count - min(index, 16)
        guard index == line.count || line[index] == 0x3B else { throw .chunkSizeMalformed }
        while index < line.count {
            guard line[index] == 0x3B else { throw .chunkExtensionMalformed }
            index = try Self.endOfExtension(in: line, from: index &+ 1)
        }
    }

    /// Passes `NAME`, `NAME=TOKEN` or `NAME="QUOTED"`.
    private static func endOfExtension(in line: Span<UInt8>, from start: Int) throws(MessageError) -> Int {
        let nameEnd = endOfToken(in: line, from: start)
        guard nameEnd > start else { throw .chunkExtensionMalformed }
        guard nameEnd < line.count, line[nameEnd] == 0x3D else { return nameEnd }
        let valueStart = nameEnd &+ 1
        guard valueStart < line.count, line[valueStart] == 0x22 else {
            let valueEnd = endOfToken(in: line, from: valueStart)
            guard valueEnd > valueStart else { throw .chunkExtensionMalformed }
            return valueEnd
        }
        var index = valueStart &+ 1
        while index < line.count, line[index] != 0x22 {
            index &+= line[index] == 0x5C ? 2 : 1
        }
        guard index < line.count else { throw .chunkExtensionMalformed }
        return index &+ 1
    }

    private static func endOfToken(in line: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < line.count, line[index].isToken { index &+= 1 }
        return index
    }
}
