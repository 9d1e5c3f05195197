/// A form (`application/x-www-form-urlencoded`) as plainly as it is defined, for what is well-formed.
enum ReferenceForm {
    /// The values of a field, in order, as bytes.
    static func values(of name: String, in form: [UInt8]) -> [[UInt8]] {
        form.split(separator: 0x26).compactMap { pair in
            let equals = pair.firstIndex(of: 0x3D) ?? pair.endIndex
            guard decoded(pair[..<equals]) == Array(name.utf8) else { return nil }
            return decoded(pair[equals...].dropFirst())
        }
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            let next = rest.prefix(2).compactMap { digits.firstIndex(of: $0 < 0x40 ? $0 : $0 | 0x20) }
            switch byte {
            case 0x2B: bytes.append(0x20)
            case 0x25 where next.count == 2:
                bytes.append(UInt8(next[0] * 16 + next[1]))
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}
