import HTTP1Codec
import NIOCore
import NIOHPACK

@testable import HTTP2Codec

/// The header blocks of one connection as swift-nio-http2 reads them, for comparison.
struct StockHeaderBlocks {
    /// The stock decoder; nil once it has differed on purpose, or refused a block: the next blocks mean nothing to it.
    private var decoder: HPACKDecoder? = HPACKDecoder(
        allocator: ByteBufferAllocator(),
        maxDynamicTableSize: 4_096,
        maxHeaderListSize: 1 << 24
    )

    /// The peer has to announce it in the next block, which our encoder does.
    mutating func tableLimit(_ limit: Int) {
        decoder?.maxDynamicTableLength = limit
    }

    mutating func stop() {
        decoder = nil
    }

    /// - Parameter isReadable: Whether ours could decompress the block; nil: as far as it did, since it only passes
    ///   over strings that neither the table nor a head takes in.
    /// - Returns: Nil where there is nothing to compare with.
    @discardableResult
    mutating func fields(of block: ByteBuffer, isReadable: Bool?) -> HPACKHeaders? {
        guard decoder != nil else { return nil }
        var block = block
        do {
            let fields = try decoder?.decodeHeaders(from: &block)
            HeaderBlocksTarget.require(
                isReadable != false,
                "ours refused a block that the stock decoder reads: \(fields.debugDescription)"
            )
            return fields
        } catch {
            stop()
            // Our decoder calls a head with an empty name malformed, and reads any number of size updates.
            let isDeliberate =
                error is NIOHPACKErrors.EmptyLiteralHeaderFieldName
                || error is NIOHPACKErrors.IllegalDynamicTableSizeChange
            HeaderBlocksTarget.require(
                isReadable != true || isDeliberate,
                "ours read a block that the stock decoder refuses: \(error)"
            )
            return nil
        }
    }

    /// Requires that the stock decoder reads the fields that ours has read, but for those that ours makes something
    /// else of: pseudo-fields, Host and the crumbs of a cookie.
    mutating func check(_ block: ByteBuffer, has fields: [FieldLine]) {
        guard let stock = self.fields(of: block, isReadable: true) else { return }
        let ours = fields.map { [String(buffer: $0.name), String(buffer: $0.value)] }.filter(Self.isPlain)
        let theirs = stock.map { [$0.name, $0.value] }.filter(Self.isPlain)
        HeaderBlocksTarget.require(ours == theirs, "\(ours), and the stock decoder reads \(theirs)")
    }

    private static func isPlain(_ line: [String]) -> Bool {
        !line[0].hasPrefix(":") && line[0] != "cookie" && line[0] != "host"
    }
}
