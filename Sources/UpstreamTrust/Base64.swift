import FoundationEssentials

/// RFC 4648, section 4, with padding, and nothing that is merely close to it.
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// nil for what ``encode(_:)`` could not have written, so that one digest has one text.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard let data = Data(base64Encoded: Data(text)) else { return nil }
        let bytes = Array(data)
        return encode(bytes).utf8.elementsEqual(text) ? bytes : nil
    }
}
