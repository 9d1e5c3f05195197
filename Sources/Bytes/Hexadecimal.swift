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

    /// Returns all digits of a number of this type, the zeros that it begins with too.
    package static func encode(_ number: some FixedWidthInteger & UnsignedInteger, uppercase: Bool = false) -> String {
        encode(
            stride(from: number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) },
            uppercase: uppercase
        )
    }

    /// Returns the bytes that digits of either case stand for; nil for anything but pairs of digits.
    package static func decode(_ digits: [UInt8]) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index].hexadecimalValue, let low = digits[index + 1].hexadecimalValue else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Appends the two digits of one byte.
    package static func append(_ byte: UInt8, uppercase: Bool = false, to text: inout [UInt8]) {
        let digits = uppercase ? self.uppercase : lowercase
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
}
