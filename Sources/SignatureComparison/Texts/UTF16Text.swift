/// Text as UTF-16, as signers hash it by mistake.
enum UTF16Text {
    static func littleEndian(_ bytes: [UInt8]) -> [UInt8] {
        bytes.text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }

    static func bigEndian(_ bytes: [UInt8]) -> [UInt8] {
        bytes.text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }
}
