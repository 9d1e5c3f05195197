import HTTP2Codec
import NIOCore

/// Makes frames of an input, so that mutations of the input are mostly frames again.
enum FrameScript {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// A header block with literals and indexed fields, as a request or a response has it.
    static let blocks: [[UInt8]] = [
        [0x82, 0x87, 0x84, 0x01, 0x01, 0x68],
        [0x83, 0x87, 0x84, 0x01, 0x01, 0x68],
        [0x82, 0x87, 0x84, 0x41, 0x01, 0x68, 0x40, 0x01, 0x61, 0x01, 0x62],
        [0x88],
        [0x88, 0x0F, 0x0D, 0x01, 0x35],
        [0x40, 0x01, 0x61, 0x01, 0x62],
        [0x83, 0x87, 0x84, 0x01, 0x01, 0x68, 0x0F, 0x0D, 0x01, 0x35],
        [0x08, 0x03, 0x31, 0x30, 0x30],
    ]

    /// Returns what a peer of the connection sends: the preface if it is a client, SETTINGS, and the script's frames.
    static func bytes(of reader: inout InputReader, toServer: Bool) -> [UInt8] {
        var bytes = toServer ? preface : []
        bytes += frame(type: 4, flags: 0, streamID: 0, [])
        while !reader.isAtEnd {
            let choice = reader.byte()
            let streamID = UInt32(reader.byte())
            switch choice >> 4 {
            case 0...9:
                // A frame of this type with any flags and payload.
                bytes += frame(type: choice >> 4, flags: reader.byte(), streamID: streamID, reader.stretch())
            case 10:
                let block = blocks[Int(choice & 7)]
                bytes += frame(type: 1, flags: choice & 8 == 0 ? 5 : 4, streamID: streamID | 1, block)
            case 11:
                let count = reader.number()
                bytes += frame(
                    type: 0,
                    flags: choice & 1,
                    streamID: streamID | 1,
                    [UInt8](repeating: 0x64, count: count % 20_000)
                )
            case 12:
                let increment = UInt32(reader.number()) << (choice & 15)
                bytes += frame(
                    type: 8,
                    flags: 0,
                    streamID: streamID,
                    (0..<4).map { UInt8(truncatingIfNeeded: increment >> (24 - 8 * $0)) }
                )
            case 13:
                // The same frame many times.
                let count = reader.byte()
                let frame = frame(type: choice & 15, flags: reader.byte(), streamID: streamID, reader.bytes(8))
                for _ in 0..<count { bytes += frame }
            case 14:
                // Settings with these numbers.
                let value = UInt32(reader.number()) << (choice & 15)
                let payload =
                    [0, UInt8(truncatingIfNeeded: streamID)]
                    + (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
                bytes += frame(type: 4, flags: 0, streamID: 0, payload)
            default:
                bytes += reader.bytes(Int(choice & 15))
            }
        }
        return bytes
    }

    static func frame(type: UInt8, flags: UInt8, streamID: UInt32, _ payload: [UInt8]) -> [UInt8] {
        let length = payload.count
        return [UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), type, flags]
            + (0..<4).map { UInt8(truncatingIfNeeded: streamID >> (24 - 8 * $0)) } + payload
    }
}
