import Bytes

/// The keys that languages sort text by, as far as they part from the order of bytes.
enum Collation {
    /// The letters without accents and case, and with or without punctuation.
    static func letters(_ bytes: [UInt8], isPunctuationIgnored: Bool) -> [UInt8] {
        let base = NormalForm.decomposed(bytes.text).unicodeScalars.filter { !$0.properties.isDiacritic || $0.isASCII }
        let kept = base.filter {
            !isPunctuationIgnored || !$0.isASCII || $0.properties.isAlphabetic || $0.properties.numericType != nil
        }
        return String(String.UnicodeScalarView(kept)).lowercased().bytes
    }

    /// The order of the Unicode collation algorithm for ASCII: punctuation, digits, letters whatever their case.
    static func weights(_ bytes: [UInt8]) -> [UInt8] {
        let punctuation = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$".bytes
        return letters(bytes, isPunctuationIgnored: false).map { byte in
            if let index = punctuation.firstIndex(of: byte) { return UInt8(1 + index) }
            return byte < 128 ? byte + 64 : byte
        }
    }

    /// Lower case before upper case.
    static func cases(_ bytes: [UInt8]) -> [UInt8] { bytes.map { $0.isUppercase ? 1 : 0 } }

    /// Numbers by their value: each run of digits stands behind its length.
    static func natural(_ bytes: [UInt8]) -> [UInt8] {
        var key: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.first {
            let digits = rest.prefix(while: \.isDigit)
            if digits.isEmpty {
                key.append(byte)
                rest = rest.dropFirst()
            } else {
                let number = digits.drop { $0 == 48 }
                key += [48, UInt8(clamping: number.count)] + number
                rest = rest.dropFirst(digits.count)
            }
        }
        return key
    }

    /// The key of the reverse order.
    static func inverted(_ bytes: [UInt8]) -> [UInt8] { bytes.map { ~$0 } + [0xFF] }
}
