import Bytes

extension PercentEncoding {
    /// Undoes ``encode(_:)``: each well-formed triplet becomes its byte, anything else stays as it is.
    /// - Parameter plusIsSpace: Also undo what forms do to spaces.
    package static func decodeLeniently(_ bytes: Span<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            decoded.append(bytes.percentDecoded(at: &position, plusIsSpace: plusIsSpace))
        }
        return decoded
    }
}

extension Span<UInt8> {
    /// The byte that begins at `position`, which is moved past it. A `%` that two hexadecimal digits do not follow is
    /// itself.
    @inline(__always)
    func percentDecoded(at position: inout Int, plusIsSpace: Bool) -> UInt8 {
        let byte = self[position]
        position += 1
        if byte == UInt8(ascii: "%"), position + 1 < count,
            let high = self[position].hexadecimalValue, let low = self[position + 1].hexadecimalValue
        {
            position += 2
            return high << 4 | low
        }
        return plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte
    }
}
