/// The beginning of a JSON text (RFC 8259) whose end is missing.
enum JSONBeginning {
    /// As much of it as is whole, with what is open closed; nil when nothing is open or it is no object or array.
    static func closed(_ octets: ArraySlice<UInt8>) -> [UInt8]? {
        var closers: [UInt8] = []
        var end = octets.startIndex
        var isText = false
        var isEscaped = false
        for (index, octet) in zip(octets.indices, octets) {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if octet == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if octet == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch octet {
            case UInt8(ascii: "\""):
                isText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                closers.append(octet == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                end = index + 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard closers.popLast() == octet else { return nil }
                end = index + 1
            case UInt8(ascii: ","):
                end = index
            default:
                break
            }
            if closers.isEmpty { return nil }
        }
        return closers.isEmpty ? nil : octets[..<end] + closers.reversed()
    }
}
