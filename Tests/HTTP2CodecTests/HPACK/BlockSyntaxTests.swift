import HTTP1Codec
import NIOCore
import Testing
import TestSupport

@testable import HTTP2Codec

/// Tests of what RFC 7541 refuses in a block, and of what it allows at its edges.
@Suite struct BlockSyntaxTests {
    private func decoder(tableLimit: Int = 4_096) -> HeaderBlockDecoder {
        HeaderBlockDecoder(limits: MessageLimits(), dynamicTableLimit: tableLimit)
    }

    @Test(arguments: [
        ("index 0", "80"),
        ("an index beyond the static table while the dynamic one is empty", "be"),
        ("an index far beyond both tables", "ffffff7f"),
        ("the name of an index that does not exist", "7f0a0161"),
        ("the name of an index that does not exist, not indexed", "0fff010161"),
        ("an integer that ends with the block", "ff"),
        ("an integer that goes on when the block ends", "ff80"),
        ("an integer of 35 bits", "ffffffffff7f"),
        ("an integer of many zeros", "ff8080808000"),
        ("a literal without a name", "40"),
        ("a literal without a value", "400161"),
        ("a name that ends behind the block", "4002"),
        ("a value that ends behind the block", "4001610362"),
        ("a length that ends behind the block", "4001617f"),
        ("a length beyond what a number holds", "4001617fffffffffffffffffff7f"),
        ("a Huffman-coded value with bad padding", "400161811c"),
        ("a size update behind a field", "8220"),
        ("a size update above the limit", "3fe21f"),
        ("a size update that ends with the block", "3f"),
    ])
    func `A block is refused for good`(_ note: String, _ block: String) throws {
        let buffer = try Block(hexadecimal: block).buffer
        var decoder = decoder()
        #expect(throws: HeaderBlockError.compression) { try decoder.skip(buffer) }
        decoder = self.decoder()
        #expect(throws: HeaderBlockError.compression) { try decoder.trailers(buffer) }
    }

    @Test(arguments: [
        ("nothing", "", "\r\n"),
        ("an empty value", "40016100", "a: \r\n\r\n"),
        ("a size update alone", "20", "\r\n"),
        ("two size updates", "203fe11f", "\r\n"),
        ("the largest size update", "3fe11f", "\r\n"),
        ("the name of index 54, not indexed", "0f270161", "server: a\r\n\r\n"),
        ("the name of index 54, never indexed", "1f270161", "server: a\r\n\r\n"),
        ("a Huffman-coded name and value", "40811f811f", "a: a\r\n\r\n"),
    ])
    func `A block at the edge is decoded`(_ note: String, _ block: String, _ lines: String) throws {
        var decoder = decoder()
        #expect(try String(buffer: decoder.trailers(Block(hexadecimal: block).buffer).bytes) == lines)
    }

    @Test func `A size update evicts what no longer fits`() throws {
        var decoder = decoder()
        try decoder.skip(Block(hexadecimal: "400161016240016301644001650166").buffer)
        #expect(decoder.table.size == 3 * 34)
        try decoder.skip(Block(hexadecimal: "3f45").buffer)
        #expect(decoder.table.size == 2 * 34)
        #expect(
            try String(buffer: decoder.trailers(Block(hexadecimal: "bebf").buffer).bytes) == "e: f\r\nc: d\r\n\r\n"
        )
        #expect(throws: HeaderBlockError.compression) { try decoder.skip(Block([0xC0]).buffer) }
    }

    @Test func `An entry larger than the table empties it`() throws {
        var decoder = decoder(tableLimit: 64)
        try decoder.skip(Block(hexadecimal: "4001610162").buffer)
        #expect(decoder.table.size == 34)
        var block = Block()
        block.append(.indexed, name: [0x63], value: [UInt8](repeating: 0x64, count: 32))
        #expect(try decoder.trailers(block.buffer).count == 1)
        #expect(decoder.table.size == 0)
    }

    @Test func `A name may be that of an entry which its field evicts`() throws {
        var decoder = decoder(tableLimit: 64)
        try decoder.skip(Block(hexadecimal: "4003616263016a").buffer)
        var block = Block([0x7E])
        block.append(string: [UInt8](repeating: 0x6B, count: 20))
        #expect(
            try String(buffer: decoder.trailers(block.buffer).bytes) == "abc: kkkkkkkkkkkkkkkkkkkk\r\n\r\n"
        )
        #expect(
            try String(buffer: decoder.trailers(Block([0xBE]).buffer).bytes) == "abc: kkkkkkkkkkkkkkkkkkkk\r\n\r\n"
        )
    }

    @Test func `A lowered limit must be acknowledged by the next block`() throws {
        var decoder = decoder()
        decoder.dynamicTableLimit(100)
        #expect(throws: HeaderBlockError.compression) { try decoder.skip(Block([0x82]).buffer) }
        decoder = self.decoder()
        decoder.dynamicTableLimit(100)
        #expect(throws: HeaderBlockError.compression) { try decoder.skip(Block(hexadecimal: "3f4682").buffer) }
        decoder = self.decoder()
        decoder.dynamicTableLimit(100)
        try decoder.skip(Block(hexadecimal: "3f4582").buffer)
        try decoder.skip(Block([0x82]).buffer)
    }

    @Test func `A raised limit need not be acknowledged`() throws {
        var decoder = decoder()
        decoder.dynamicTableLimit(8_192)
        try decoder.skip(Block([0x82]).buffer)
        #expect(decoder.table.maximumSize == 4_096)
        try decoder.skip(Block(hexadecimal: "3fe13f").buffer)
        #expect(decoder.table.maximumSize == 8_192)
    }

    @Test func `A table that turns over many times keeps what is newest`() throws {
        var decoder = decoder(tableLimit: 256)
        var random = SeededGenerator(seed: 5)
        var newest: [String] = []
        for number in 0..<400 {
            let value = "\(number)" + String(repeating: "v", count: random.below(60))
            var block = Block()
            block.append(.indexed, name: Array("n".utf8), value: Array(value.utf8))
            try decoder.skip(block.buffer)
            newest.insert(value, at: 0)
            var size = 0
            newest = Array(
                newest.prefix {
                    size += $0.utf8.count + 33; return size <= 256
                }
            )
            let indices = newest.indices.map { UInt8(0x80 + 62 + $0) }
            let lines = newest.map { "n: \($0)\r\n" }.joined() + "\r\n"
            #expect(try String(buffer: decoder.trailers(Block(indices).buffer).bytes) == lines)
            #expect(decoder.table.count == newest.count)
        }
    }
}
