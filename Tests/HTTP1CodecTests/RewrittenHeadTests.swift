import HTTP1Codec
import NIOCore
import Testing

/// Tests that read again, by this codec and by llhttp, what the writers make of generated heads.
@Suite struct RewrittenHeadTests {
    @Test(arguments: 300..<310 as Range<UInt64>)
    func `A rewritten request is one request with the fields that were kept`(_ seed: UInt64) throws {
        var generator = MessageGenerator(seed: seed)
        for _ in 0..<50 {
            for request in generator.requests() {
                var decoder = RequestDecoder()
                decoder.append(ByteBuffer(bytes: request))
                guard case .head(let head) = try decoder.next() else { throw Reading.Unexpected.event }
                var buffer = ByteBuffer()
                head.write(
                    into: &buffer,
                    target: head.targetForm == .absolute ? ByteBuffer(string: "/x?y") : nil,
                    dropping: [.connection, .expect],
                    appending: ["Via": "1.1 paraph", "Authorization": "OAuth a=\"b\""]
                )
                buffer.writeImmutableBuffer(decoder.takeBuffered())
                let bytes = Array(buffer.readableBytesView)
                let own = OwnDecoder.requests([bytes])
                let stock = try StockDecoder.requests(bytes)
                #expect(own.refusal == nil, "\(ByteText.text(bytes))")
                #expect(own == stock, "\(ByteText.text(bytes))")
                #expect(own.completeCount == 1)
                let kept = head.fields.filter { $0.known != .connection && $0.known != .expect && !$0.isNominated }
                let names = kept.map { String(buffer: $0.name) } + ["Via", "Authorization"]
                #expect(own.messages.first?.fields.map(\.name) == names)
            }
        }
    }
}
