/// A message of Protocol Buffers that is being written: as much of the encoding as OTLP needs.
struct ProtobufMessage {
    private(set) var bytes: [UInt8] = []

    private enum WireType: UInt64 {
        case varint = 0
        case fixed64 = 1
        case lengthDelimited = 2
    }

    private mutating func tag(_ field: UInt64, _ type: WireType) {
        varint(field << 3 | type.rawValue)
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func append(_ field: UInt64, integer value: UInt64) {
        tag(field, .varint)
        varint(value)
    }

    mutating func append(_ field: UInt64, fixed value: UInt64) {
        tag(field, .fixed64)
        for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift))) }
    }

    mutating func append(_ field: UInt64, bytes value: [UInt8]) {
        tag(field, .lengthDelimited)
        varint(UInt64(value.count))
        bytes += value
    }

    mutating func append(_ field: UInt64, text: String) {
        append(field, bytes: Array(text.utf8))
    }

    mutating func append(_ field: UInt64, _ fill: (inout ProtobufMessage) -> Void) {
        var message = ProtobufMessage()
        fill(&message)
        append(field, bytes: message.bytes)
    }
}
