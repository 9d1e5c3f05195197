import Bytes
import HTTP1Codec
import NIOCore

@testable import HTTP2Codec

/// Header blocks of one connection: what is decoded is bounded by the limits, is what swift-nio-http2 decodes, and
/// reaches the same fields through an encoder and a second decoder, ours or that.
///
/// The input is a row of blocks: a byte for the kind of block and for a change of the table's size, the length of the
/// block and its bytes.
enum HeaderBlocksTarget: FuzzTarget {
    static let name = "header-blocks"

    private static let tableLimits = [4_096, 0, 64, 300]

    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        var limits = MessageLimits()
        limits.headerBytes = 2_048
        limits.fields = 24
        limits.trailerBytes = 512
        limits.trailerFields = 8
        var decoder = HeaderBlockDecoder(limits: limits)
        var encoder = HeaderBlockEncoder()
        var mirror = HeaderBlockDecoder(limits: .roomy)
        var stock = StockHeaderBlocks()
        var stockMirror = StockHeaderBlocks()
        while !reader.isAtEnd {
            let choice = reader.byte()
            if choice & 0x80 != 0 {
                let limit = tableLimits[Int(choice >> 5 & 3)]
                decoder.dynamicTableLimit(limit)
                encoder.peerTableLimit(limit)
                mirror.dynamicTableLimit(limit)
                stockMirror.tableLimit(limit)
                // Ours insists that a lower limit is announced, and the stock decoder does not.
                stock.stop()
            }
            let block = ByteBuffer(bytes: reader.stretch())
            let endsStream = choice & 4 != 0
            var written = ByteBuffer()
            do throws(HeaderBlockError) {
                switch choice & 3 {
                case 0:
                    let head = try decoder.request(block, endsStream: endsStream)
                    require(head.bytes.readableBytes <= limits.headerBytes, "a head beyond the limit")
                    stock.check(block, has: Array(head.fields))
                    let authority = head.fields.value(of: .host) ?? ByteBuffer()
                    encoder.write(
                        request: head,
                        scheme: head.scheme ?? .https,
                        authority: authority,
                        target: nil,
                        dropping: [],
                        appending: [:],
                        into: &written
                    )
                    let copy = mirrored(head.bytes) { () throws(HeaderBlockError) in
                        try mirror.request(written, endsStream: endsStream)
                    }
                    stockMirror.check(written, has: Array(head.fields))
                    let isSame = copy.methodBytes == head.methodBytes && copy.target == head.target
                    require(isSame, "another request line")
                    require(copy.framing == head.framing && copy.scheme == head.scheme, "framed otherwise")
                    // The encoder puts Host first, as :authority.
                    let isHost = { (line: FieldLine) in line.known == .host }
                    require(
                        lines(copy.fields.filter(isHost)) == lines(head.fields.filter(isHost))
                            && lines(copy.fields.filter { !isHost($0) }) == lines(head.fields.filter { !isHost($0) }),
                        "other fields: \(String(buffer: copy.bytes)), were \(String(buffer: head.bytes))"
                    )
                case 1:
                    let head = try decoder.response(block, endsStream: endsStream, to: .get)
                    require(head.bytes.readableBytes <= limits.headerBytes, "a head beyond the limit")
                    stock.check(block, has: Array(head.fields))
                    encoder.write(response: head, dropping: [], appending: [:], into: &written)
                    let copy = mirrored(head.bytes) { () throws(HeaderBlockError) in
                        try mirror.response(written, endsStream: endsStream, to: .get)
                    }
                    require(copy.status == head.status, "another status")
                    let isBodiless = head.status < 200 || head.status == 204
                    let sent = head.fields.filter { !isBodiless || $0.known != .contentLength }
                    require(lines(Array(copy.fields)) == lines(sent), "other fields")
                    stockMirror.check(written, has: sent)
                case 2:
                    let section = try decoder.trailers(block)
                    require(section.bytes.readableBytes <= limits.trailerBytes, "trailers beyond the limit")
                    // Some trailers are left out.
                    stock.fields(of: block, isReadable: true)
                    encoder.write(trailers: section, into: &written)
                    let copy = mirrored(section.bytes) { () throws(HeaderBlockError) in try mirror.trailers(written) }
                    require(lines(Array(copy)) == lines(Array(section)), "other trailers")
                    stockMirror.check(written, has: Array(section))
                default:
                    try decoder.skip(block)
                    stock.fields(of: block, isReadable: nil)
                }
            } catch {
                stock.fields(of: block, isReadable: error == .compression ? false : nil)
                if case .compression = error { return }
            }
            require(decoder.table.size <= decoder.table.maximumSize, "the table is larger than it may be")
            require(decoder.table.maximumSize <= 4_096, "the table may be larger than was announced")
            require(decoder.heldBytes <= 65_536, "\(decoder.heldBytes) bytes are held")
        }
    }

    /// Reads what the encoder wrote, which is always possible.
    private static func mirrored<Head>(_ bytes: ByteBuffer, _ read: () throws(HeaderBlockError) -> Head) -> Head {
        do throws(HeaderBlockError) {
            return try read()
        } catch {
            let text = String(buffer: bytes).debugDescription
            fatalError("\(name): what was encoded cannot be decoded: \(text): \(error)")
        }
    }

    private static func lines(_ fields: [FieldLine]) -> [[ByteBuffer]] {
        fields.map { [$0.name, $0.value] }
    }
}
