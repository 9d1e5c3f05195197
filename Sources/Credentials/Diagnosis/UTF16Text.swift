/// Text in UTF-16, which Windows' servers send.
enum UTF16Text {
    /// In UTF-8, without the byte order mark; nil when it is not UTF-16: its mark tells, or a first character that is
    /// ASCII.
    static func inUTF8(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
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
