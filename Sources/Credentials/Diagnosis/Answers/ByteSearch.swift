import Bytes

/// Searches in text as bytes, where letters are ASCII and capitals do not matter.
enum ByteSearch {
    static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map(\.lowercasedASCII)
    }

    /// Returns where the needle, in lower case and not empty, is first found from `start` on; the text is in lower case
    /// too.
    static func index(of needle: some Collection<UInt8>, in text: [UInt8], from start: Int = 0) -> Int? {
        guard let first = needle.first else { return nil }
        var index = start
        while index + needle.count <= text.count {
            if text[index] == first, text[index...].starts(with: needle) { return index }
            index += 1
        }
        return nil
    }
}
