/// A character set of several bytes a character, whose tables are not here: whoever compares brings what converts.
package struct OtherCharacterSet: Sendable {
    let name: String
    /// Writes a text in the set; returns nil when a character is not in it, or the set is not to be had.
    let encode: @Sendable (String) -> [UInt8]?
    /// Reads a text of the set; returns nil when the bytes are none, or the set is not to be had.
    let decode: @Sendable ([UInt8]) -> String?

    package init(
        name: String,
        encode: @escaping @Sendable (String) -> [UInt8]?,
        decode: @escaping @Sendable ([UInt8]) -> String?
    ) {
        self.name = name
        self.encode = encode
        self.decode = decode
    }
}
