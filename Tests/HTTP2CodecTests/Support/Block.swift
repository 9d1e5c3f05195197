import NIOCore

/// A header block that a test builds by hand.
struct Block {
    enum Form: UInt8 { case indexed = 0x40, plain = 0x00, neverIndexed = 0x10 }
    struct Malformed: Error {}

    var bytes: [UInt8] = []

    var buffer: ByteBuffer { ByteBuffer(bytes: bytes) }

    init() {}

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    init(hexadecimal text: String) throws {
        let digits = Array(text)
        for position in stride(from: 0, to: digits.count, by: 2) {
            guard position + 1 < digits.count, let byte = UInt8(String(digits[position...position + 1]), radix: 16)
            else { throw Malformed() }
            bytes.append(byte)
        }
    }

    /// Fields of the form `name: value`, as literals with new names that are not indexed.
    init(_ fields: [String]) {
        for field in fields {
            let (name, value) = Self.parts(of: field)
            append(.plain, name: name, value: value)
        }
    }

    /// Name and value of a field `name: value`. The colon of a pseudo-field is no delimiter.
    static func parts(of field: String) -> (name: [UInt8], value: [UInt8]) {
        guard let delimiter = field.dropFirst().firstRange(of: ": ") else { return (Array(field.utf8), []) }
        return (Array(field[..<delimiter.lowerBound].utf8), Array(field[delimiter.upperBound...].utf8))
    }

    mutating func append(_ form: Form, name: [UInt8], value: [UInt8]) {
        bytes.append(form.rawValue)
        append(string: name)
        append(string: value)
    }

    mutating func append(string: [UInt8]) {
        append(integer: string.count, prefixBits: 7, flags: 0)
        bytes += string
    }

    mutating func append(integer: Int, prefixBits: Int, flags: UInt8) {
        let mask = 1 << prefixBits - 1
        guard integer >= mask else {
            bytes.append(flags | UInt8(integer))
            return
        }
        bytes.append(flags | UInt8(mask))
        var rest = integer - mask
        while rest >= 128 {
            bytes.append(UInt8(rest % 128) | 0x80)
            rest /= 128
        }
        bytes.append(UInt8(rest))
    }
}
