/// Text out of paths and forms.
enum PercentDecoding {
    /// Nil where a percent sign is not followed by two hexadecimal digits, and when the bytes are not UTF-8.
    static func text(_ bytes: some Sequence<UInt8>) -> String? {
        var decoded: [UInt8] = []
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
            decoded.append(high << 4 | low)
        }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.flatMap(UInt8.init(exactly:))
    }
}
