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
            let octets = Array(requests.joined())
            let own = OwnDecoder.requests([octets])
            let stock = try StockDecoder.requests(octets)
            let text = OctetText.text(octets)
            #expect(own.refusal == nil, "\(text)")
            #expect(stock.refusal == nil, "\(text)")
            #expect(own.completeCount == requests.count, "\(text)")
            #expect(Agreement(own: own, stock: stock).violations.isEmpty, "\(text)")
            let split = generator.random.below(octets.count)
            #expect(OwnDecoder.requests([Array(octets[..<split]), Array(octets[split...])]) == own, "\(split) \(text)")
        }
    }

    @Test(arguments: 10..<20 as Range<UInt64>)
    func `Valid responses are read by both, and alike`(_ seed: UInt64) throws {
        var generator = MessageGenerator(seed: seed)
        for _ in 0..<100 {
            let responses = generator.responses()
            let octets = Array(responses.joined())
            let own = OwnDecoder.responses([octets], to: [.get, .get, .get], closing: true)
            let stock = try StockDecoder.responses(octets, to: ["GET", "GET", "GET"], closing: true)
            let text = OctetText.text(octets)
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
                let octets = mutator.mutate(original)
                let own = OwnDecoder.requests([octets])
                let agreement = RequestComparison.agreement(own, try StockDecoder.requests(octets), octets)
                #expect(agreement.violations.isEmpty, "\(OctetText.text(octets))")
                if let reason = agreement.strictness {
                    #expect(DeliberateStrictness.labels.contains(reason), "\(OctetText.text(octets))")
                }
                let split = mutator.random.below(octets.count + 1)
                let pieces = [Array(octets[..<split]), Array(octets[split...])]
                #expect(OwnDecoder.requests(pieces) == own, "\(split) \(OctetText.text(octets))")
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
                let octets = mutator.mutate(original)
                let methods: [RequestMethod] = mutator.random.chance(4) ? [.head, .get, .get] : [.get, .get, .get]
                let names = methods.map { $0 == .head ? "HEAD" : "GET" }
                let own = OwnDecoder.responses([octets], to: methods, closing: closing)
                let stock = try StockDecoder.responses(octets, to: names, closing: closing)
                let agreement = ResponseComparison.agreement(own, stock, octets, methods)
                #expect(agreement.violations.isEmpty, "\(OctetText.text(octets))")
                if let reason = agreement.strictness {
                    #expect(DeliberateStrictness.labels.contains(reason), "\(OctetText.text(octets))")
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
