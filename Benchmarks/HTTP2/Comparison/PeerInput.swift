import NIOCore

/// The bytes that the peer sends, read by read, the same for all implementations: recordings of h2load 1.52.0 and of
/// nginx 1.22.1, as they are in `Benchmarks/Proxy`, with the numbers of the streams changed.
///
/// Windows are so large (1 GiB by h2load, 2 GiB by nginx) that a peer does not give back any within a measurement.
struct PeerInput {
    /// The bytes that open the connection, with the acknowledgement of our settings.
    let opening: ByteBuffer
    let reads: [ByteBuffer]

    private static let path =
        "04e4602b85842469b50543089cfe17e883d5fe1a4804100000000000000000000f83544a2d90b116a499262a204d9697e13e0a54c549e4"
        + "2c05f292d52164f83544a2d90b153ea2b0a9f052a60947420bf0825852d51543a4b01072ab7995617d510232d449ff"
    /// Its path is a literal; authority and user agent are put into the dynamic table.
    static let firstRequestBlock = bytes(
        path + "87418b1d665cbe474d7415721e9f827a8f9c541c722954d3a5358980aed89707"
    )
    /// That of all other requests: authority and user agent are in the table.
    private static let requestBlock = bytes(path + "87bf82be")
    /// nginx puts the four fields into the table with each response.
    static let responseBlock = bytes(
        "887689aa6355e580ae212e1f6196df3dbf4a09c5349fba82009c5001b8176e09c53168df5f8b1d75d0620d263d4c7441ea5c0431303234"
    )

    init(to role: Role, reads count: Int) {
        var opening = ByteBuffer()
        switch role {
        case .server:
            opening.writeString("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            opening.writeFrame(type: 4, payload: Self.bytes("00020000000000043fffffff"))
            opening.writeFrame(type: 8, payload: Self.bytes("3fff0000"))
        case .client:
            opening.writeFrame(type: 4, payload: Self.bytes("000300000100000400010000000500ffffff"))
            opening.writeFrame(type: 8, payload: Self.bytes("7fff0000"))
        }
        opening.writeFrame(type: 4, flags: 1, payload: ByteBuffer())
        self.opening = opening
        var stream: UInt32 = 1
        reads = (0..<count).map { _ in
            var read = ByteBuffer()
            for _ in 0..<Work.perRead {
                switch role {
                case .server:
                    let block = stream == 1 ? Self.firstRequestBlock : Self.requestBlock
                    read.writeFrame(type: 1, flags: 5, stream: stream, payload: block)
                case .client:
                    read.writeFrame(type: 1, flags: 4, stream: stream, payload: Self.responseBlock)
                    read.writeFrame(type: 0, flags: 1, stream: stream, payload: Work.body)
                }
                stream += 2
            }
            return read
        }
    }

    private static func bytes(_ hexadecimal: String) -> ByteBuffer {
        let digits = hexadecimal.utf8.map { UInt8($0 < 0x3A ? $0 - 0x30 : $0 - 0x57) }
        return ByteBuffer(bytes: stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
}
