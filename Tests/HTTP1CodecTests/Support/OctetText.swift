/// The octets of a text with the escapes \r \n \t \0 \\ \xNN, and \{N*TEXT} for a repetition.
struct OctetText {
    struct Malformed: Error { let text: String }

    static func octets(_ text: some StringProtocol) throws -> [UInt8] {
        var octets: [UInt8] = []
        var rest = Substring(text)
        while let character = rest.popFirst() {
            guard character == "\\" else {
                octets += character.utf8
                continue
            }
            switch rest.popFirst() {
            case "r": octets.append(0x0D)
            case "n": octets.append(0x0A)
            case "t": octets.append(0x09)
            case "0": octets.append(0x00)
            case "\\": octets.append(0x5C)
            case "x":
                guard let octet = UInt8(rest.prefix(2), radix: 16) else { throw Malformed(text: String(text)) }
                octets.append(octet)
                rest = rest.dropFirst(2)
            case "{":
                guard let star = rest.firstIndex(of: "*"), let brace = rest.firstIndex(of: "}"),
                    let count = Int(rest[..<star])
                else { throw Malformed(text: String(text)) }
                let piece = try self.octets(rest[rest.index(after: star)..<brace])
                for _ in 0..<count { octets += piece }
                rest = rest[rest.index(after: brace)...]
            default: throw Malformed(text: String(text))
            }
        }
        return octets
    }

    static func text(_ octets: some Sequence<UInt8>) -> String {
        octets.reduce(into: "") { text, octet in
            switch octet {
            case 0x0D: text += "\\r"
            case 0x0A: text += "\\n"
            case 0x09: text += "\\t"
            case 0x5C: text += "\\\\"
            case 0x20...0x7E: text.unicodeScalars.append(Unicode.Scalar(octet))
            default: text += "\\x" + (octet < 16 ? "0" : "") + String(octet, radix: 16)
            }
        }
    }
}
