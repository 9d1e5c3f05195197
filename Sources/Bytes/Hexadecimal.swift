/// Bytes as hexadecimal digits, two for each byte.
package enum Hexadecimal {
    private static let lowercase = Array("0123456789abcdef".utf8)
    private static let uppercase = Array("0123456789ABCDEF".utf8)

    /// Returns the digits of `bytes`, with `separator` between those of one byte and the next.
    package static func encode(
        _ bytes: some Sequence<UInt8>,
        uppercase: Bool = false,
        separator: UInt8? = nil
    ) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            if let separator, !text.isEmpty { text.append(separator) }
            append(byte, uppercase: uppercase, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the two digits of one byte.
    package static func append(_ byte: UInt8, uppercase: Bool = false, to text: inout [UInt8]) {
        let digits = uppercase ? self.uppercase : lowercase
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
}
