/// A character set of several bytes a character, whose tables are not here: whoever compares brings what converts.
package struct OtherCharacterSet: Sendable {
    let name: String
    /// Nil when a character is not in the set, or the set is not to be had.
    let encode: @Sendable (String) -> [UInt8]?
    /// Nil when the bytes are not of the set, or the set is not to be had.
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
