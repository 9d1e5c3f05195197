import HTTP1Codec
import NIOCore
import Testing

/// Hand-written requests, most of them hostile, read by this codec and by llhttp.
@Suite struct RequestVectorTests {
    static let rows = VectorRow.rows(of: "requests")

    @Test func `The vector file holds at least 150 requests`() throws {
        #expect(try VectorRow.load("requests").count >= 150)
    }

    @Test(arguments: rows) func `A request is judged as the table says`(_ row: VectorRow) throws {
        let own = OwnDecoder.requests([row.bytes])
        let stock = try StockDecoder.requests(row.bytes)
        let agreement = RequestComparison.agreement(own, stock, row.bytes)
        #expect(agreement.violations.isEmpty)
        switch row.verdict {
        case .accepted(let count):
            #expect(own.refusal == nil)
            #expect(stock.refusal == nil)
            #expect(own.completeCount == count)
        case .freer(let count):
            #expect(own.refusal == nil)
            #expect(stock.refusal == KnownMethods.refusal)
            #expect(own.completeCount == count)
        case .refused(let label):
            #expect(own.refusal == label)
            #expect(stock.refusal != nil)
        case .stricter(let label):
            #expect(own.refusal == label)
            #expect(stock.refusal == nil)
        }
    }

    @Test(arguments: ["FOO", "get", "Get", "GE", "GETT", "query", "X-MINE", "!#$%&'*+-.^_`|~9"])
    func `Any token is a method`(_ method: String) {
        let own = OwnDecoder.requests([Array("\(method) /a HTTP/1.1\r\nHost: h\r\n\r\n".utf8)])
        #expect(own.refusal == nil)
        #expect(own.messages.map(\.startLine) == ["\(method) /a HTTP/1.1"])
        #expect(own.completeCount == 1)
    }

    @Test(arguments: rows) func `A request is read the same in pieces of any size`(_ row: VectorRow) {
        let whole = OwnDecoder.requests([row.bytes])
        #expect(OwnDecoder.requests(row.bytes.map { [$0] }) == whole)
        guard row.bytes.count <= 600 else { return }
        for split in 1..<max(row.bytes.count, 1) {
            let pieces = [Array(row.bytes[..<split]), Array(row.bytes[split...])]
            #expect(OwnDecoder.requests(pieces) == whole, "split at \(split)")
        }
    }
}
