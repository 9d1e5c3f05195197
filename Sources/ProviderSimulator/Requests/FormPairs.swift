/// The pairs of a query or of a form body (`application/x-www-form-urlencoded`), decoded, in their order.
package struct FormPairs: Sendable {
    package let pairs: [(name: String, value: String)]

    package init(_ bytes: some Collection<UInt8>) {
        pairs = bytes.split(separator: UInt8(ascii: "&")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            return (Self.decode(name), Self.decode(pair.dropFirst(name.count + 1)))
        }
    }

    /// The value of a name that occurs exactly once.
    package subscript(name: String) -> String? {
        let values = pairs.filter { $0.name == name }.map(\.value)
        return values.count == 1 ? values[0] : nil
    }

    /// Pairs as bytes of a form body.
    static func encode(_ pairs: [(name: String, value: String)]) -> [UInt8] {
        Array(pairs.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&").utf8)
    }

    private static func encode(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let scalar = Unicode.Scalar(byte)
            if scalar.isASCII, scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                result.unicodeScalars.append(scalar)
            } else if "-._~".unicodeScalars.contains(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// A percent sign that introduces no byte stands for itself.
    static func decode(_ bytes: some Collection<UInt8>) -> String {
        var decoded: [UInt8] = []
        var rest = Array(bytes)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, !digits.contains(UInt8(ascii: "+")),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                decoded.append(value)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
