/// The bytes of a text with the escapes \r \n \t \0 \\ \xNN, and \{N*TEXT} for a repetition.
struct ByteText {
    struct Malformed: Error { let text: String }

    static func bytes(_ text: some StringProtocol) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Substring(text)
        while let character = rest.popFirst() {
            guard character == "\\" else {
                bytes += character.utf8
                continue
            }
            switch rest.popFirst() {
            case "r": bytes.append(0x0D)
            case "n": bytes.append(0x0A)
            case "t": bytes.append(0x09)
            case "0": bytes.append(0x00)
            case "\\": bytes.append(0x5C)
            case "x":
                guard let byte = UInt8(rest.prefix(2), radix: 16) else { throw Malformed(text: String(text)) }
                bytes.append(byte)
                rest = rest.dropFirst(2)
            case "{":
                guard let star = rest.firstIndex(of: "*"), let brace = rest.firstIndex(of: "}"),
                    let count = Int(rest[..<star])
                else { throw Malformed(text: String(text)) }
                let piece = try self.bytes(rest[rest.index(after: star)..<brace])
                for _ in 0..<count { bytes += piece }
                rest = rest[rest.index(after: brace)...]
            default: throw Malformed(text: String(text))
            }
        }
        return bytes
    }

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.reduce(into: "") { text, byte in
            switch byte {
            case 0x0D: text += "\\r"
            case 0x0A: text += "\\n"
            case 0x09: text += "\\t"
            case 0x5C: text += "\\\\"
            case 0x20...0x7E: text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
    }
}
