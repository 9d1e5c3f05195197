/// Text in UTF-16, from and to UTF-8.
package enum UTF16Text {
    /// Returns text in UTF-8 in UTF-16, the low byte of each code unit first; bytes that are not UTF-8 become U+FFFD.
    package static func littleEndian(_ bytes: [UInt8]) -> [UInt8] {
        String(decoding: bytes, as: UTF8.self).utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }

    /// Returns the same with the high byte first.
    package static func bigEndian(_ bytes: [UInt8]) -> [UInt8] {
        String(decoding: bytes, as: UTF8.self).utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }

    /// Returns text in UTF-16 in UTF-8, without its byte order mark; nil when it is not in UTF-16, which the mark
    /// tells, or a first character that is ASCII.
    package static func utf8(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard bytes.count >= 2, let first = bytes.first, let second = bytes.dropFirst().first else { return nil }
        let isBigEndian: Bool
        switch (first, second) {
        case (0xFE, 0xFF), (0, 0x09...0x7E): isBigEndian = true
        case (0xFF, 0xFE), (0x09...0x7E, 0): isBigEndian = false
        default: return nil
        }
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
            let (high, low) = isBigEndian ? (bytes[index], bytes[index + 1]) : (bytes[index + 1], bytes[index])
            return UInt16(high) << 8 | UInt16(low)
        }
        return Array(String(decoding: units.drop { $0 == 0xFEFF }, as: UTF16.self).utf8)
    }
}
