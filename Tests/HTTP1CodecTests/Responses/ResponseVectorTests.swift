import HTTP1Codec
import NIOCore
import Testing

/// Hand-written responses, most of them hostile, read by this codec and by llhttp as answers to two GETs; then the
/// connection closes.
@Suite struct ResponseVectorTests {
    static let rows = VectorRow.rows(of: "responses")

    @Test func `The vector file holds at least 75 responses`() throws {
        #expect(try VectorRow.load("responses").count >= 75)
    }

    @Test(arguments: rows) func `A response is judged as the table says`(_ row: VectorRow) throws {
        let own = OwnDecoder.responses([row.bytes], to: [.get, .get], closing: true)
        let stock = try StockDecoder.responses(row.bytes, to: ["GET", "GET"], closing: true)
        #expect(Agreement(own: own, stock: stock, isResponse: true).violations.isEmpty)
        switch row.verdict {
        case .accepted(let count):
            #expect(own.refusal == nil)
            #expect(stock.refusal == nil)
            #expect(own.completeCount == count)
        case .freer: Issue.record("a response has no method")
        case .refused(let label):
            #expect(own.refusal == label)
            #expect(stock.refusal != nil)
        case .stricter(let label):
            #expect(own.refusal == label)
            #expect(stock.refusal == nil)
        }
    }

    @Test(arguments: rows) func `A response is read the same in pieces of any size`(_ row: VectorRow) {
        let whole = OwnDecoder.responses([row.bytes], to: [.get, .get], closing: true)
        #expect(OwnDecoder.responses(row.bytes.map { [$0] }, to: [.get, .get], closing: true) == whole)
        guard row.bytes.count <= 600 else { return }
        for split in 1..<max(row.bytes.count, 1) {
            let pieces = [Array(row.bytes[..<split]), Array(row.bytes[split...])]
            #expect(OwnDecoder.responses(pieces, to: [.get, .get], closing: true) == whole, "split at \(split)")
        }
    }
}
