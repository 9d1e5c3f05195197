/// The beginning of a JSON text (RFC 8259) whose end is missing.
enum JSONBeginning {
    /// As much of it as is whole, with what is open closed; nil when nothing is open or it is no object or array.
    static func closed(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var closers: [UInt8] = []
        var end = bytes.startIndex
        var isText = false
        var isEscaped = false
        for (index, byte) in zip(bytes.indices, bytes) {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                isText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                closers.append(byte == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                end = index + 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard closers.popLast() == byte else { return nil }
                end = index + 1
            case UInt8(ascii: ","):
                end = index
            default:
                break
            }
            if closers.isEmpty { return nil }
        }
        return closers.isEmpty ? nil : bytes[..<end] + closers.reversed()
    }
}
