import HTTP1Codec
import TestSupport
import Testing

/// Messages from a seeded generator, read by this codec and by llhttp.
@Suite struct GeneratedMessageTests {
    @Test(arguments: 0..<10 as Range<UInt64>)
    func `Valid requests are read by both, and alike`(_ seed: UInt64) throws {
        var generator = MessageGenerator(seed: seed)
        for _ in 0..<150 {
            let requests = generator.requests()
            let bytes = Array(requests.joined())
            let own = OwnDecoder.requests([bytes])
            let stock = try StockDecoder.requests(bytes)
            let text = ByteText.text(bytes)
            #expect(own.refusal == nil, "\(text)")
            #expect(stock.refusal == nil, "\(text)")
            #expect(own.completeCount == requests.count, "\(text)")
            #expect(Agreement(own: own, stock: stock).violations.isEmpty, "\(text)")
            let split = generator.random.below(bytes.count)
            #expect(OwnDecoder.requests([Array(bytes[..<split]), Array(bytes[split...])]) == own, "\(split) \(text)")
        }
    }

    @Test(arguments: 10..<20 as Range<UInt64>)
    func `Valid responses are read by both, and alike`(_ seed: UInt64) throws {
        var generator = MessageGenerator(seed: seed)
        for _ in 0..<100 {
            let responses = generator.responses()
            let bytes = Array(responses.joined())
            let own = OwnDecoder.responses([bytes], to: [.get, .get, .get], closing: true)
            let stock = try StockDecoder.responses(bytes, to: ["GET", "GET", "GET"], closing: true)
            let text = ByteText.text(bytes)
            #expect(own.refusal == nil, "\(text)")
            #expect(stock.refusal == nil, "\(text)")
            #expect(own.completeCount == responses.count, "\(text)")
            #expect(Agreement(own: own, stock: stock, isResponse: true).violations.isEmpty, "\(text)")
        }
    }

    @Test(arguments: 100..<116 as Range<UInt64>)
    func `Damaged requests are never read more freely than by llhttp, nor otherwise`(_ seed: UInt64) throws {
        var generator = MessageGenerator(seed: seed)
        var mutator = Mutator(seed: seed)
        for _ in 0..<250 {
            let original = Array(generator.requests().joined())
            for _ in 0..<4 {
                let bytes = mutator.mutate(original)
                let own = OwnDecoder.requests([bytes])
                let agreement = RequestComparison.agreement(own, try StockDecoder.requests(bytes), bytes)
                #expect(agreement.violations.isEmpty, "\(ByteText.text(bytes))")
                if let reason = agreement.strictness {
                    #expect(DeliberateStrictness.labels.contains(reason), "\(ByteText.text(bytes))")
                }
                let split = mutator.random.below(bytes.count + 1)
                let pieces = [Array(bytes[..<split]), Array(bytes[split...])]
                #expect(OwnDecoder.requests(pieces) == own, "\(split) \(ByteText.text(bytes))")
            }
        }
    }

    @Test(arguments: 200..<210 as Range<UInt64>, [true, false])
    func `Damaged responses are never read more freely than by llhttp, nor otherwise`(
        _ seed: UInt64,
        _ closing: Bool
    ) throws {
        var generator = MessageGenerator(seed: seed)
        var mutator = Mutator(seed: seed)
        for _ in 0..<125 {
            let original = Array(generator.responses().joined())
            for _ in 0..<4 {
                let bytes = mutator.mutate(original)
                let methods: [RequestMethod] = mutator.random.chance(4) ? [.head, .get, .get] : [.get, .get, .get]
                let names = methods.map { $0 == .head ? "HEAD" : "GET" }
                let own = OwnDecoder.responses([bytes], to: methods, closing: closing)
                let stock = try StockDecoder.responses(bytes, to: names, closing: closing)
                let agreement = ResponseComparison.agreement(own, stock, bytes, methods)
                #expect(agreement.violations.isEmpty, "\(ByteText.text(bytes))")
                if let reason = agreement.strictness {
                    #expect(DeliberateStrictness.labels.contains(reason), "\(ByteText.text(bytes))")
                }
            }
        }
    }

    @Test func `The beginning of a line that llhttp refuses is no difference after trailers that we leave out`() throws
    {
        let trailers = "Transfer-Encoding: chunked\r\n\r\n0\r\nExpect:\r\n\r\n"
        let requests = Array("POST / HTTP/1.1\r\nHost: h\r\n\(trailers)GET -".utf8)
        let ownRequests = OwnDecoder.requests([requests])
        let stockRequests = try StockDecoder.requests(requests)
        #expect(RequestComparison.agreement(ownRequests, stockRequests, requests).violations.isEmpty)

        let responses = Array("HTTP/1.1 200\r\n\(trailers)HH".utf8)
        let ownResponses = OwnDecoder.responses([responses], to: [.get, .get], closing: false)
        let stockResponses = try StockDecoder.responses(responses, to: ["GET", "GET"], closing: false)
        let agreement = ResponseComparison.agreement(ownResponses, stockResponses, responses, [.get, .get])
        #expect(agreement.violations.isEmpty)
    }
}
