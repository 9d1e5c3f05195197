import HTTP1Codec
import NIOCore
import Testing

/// Every byte at every kind of place in a message, read by this codec and by llhttp.
@Suite struct BytePositionTests {
    @Test(arguments: [
        "¤GET / HTTP/1.1|Host: h||", "G¤T / HTTP/1.1|Host: h||", "GET¤/ HTTP/1.1|Host: h||",
        "GET ¤ HTTP/1.1|Host: h||", "GET ¤b HTTP/1.1|Host: h||", "GET /¤b HTTP/1.1|Host: h||",
        "GET /?a¤b HTTP/1.1|Host: h||", "GET ht¤tp://h/ HTTP/1.1|Host: h||", "GET http:¤/h/ HTTP/1.1|Host: h||",
        "GET http://¤/ HTTP/1.1|Host: h||", "GET http://a¤b/ HTTP/1.1|Host: h||", "GET http://ab¤ HTTP/1.1|Host: h||",
        "GET http://a:8¤/ HTTP/1.1|Host: h||", "GET http://[::¤]:1/ HTTP/1.1|Host: h||",
        "CONNECT a¤b:1 HTTP/1.1|Host: h||", "CONNECT a:1¤ HTTP/1.1|Host: h||", "OPTIONS *¤ HTTP/1.1|Host: h||",
        "GET /¤HTTP/1.1|Host: h||", "GET / ¤TTP/1.1|Host: h||", "GET / HTTP¤1.1|Host: h||", "GET / HTTP/¤.1|Host: h||",
        "GET / HTTP/1¤1|Host: h||", "GET / HTTP/1.¤|Host: h||", "GET / HTTP/1.1¤|Host: h||",
        "GET / HTTP/1.1\r¤Host: h||", "GET / HTTP/1.1|¤Host: h||", "GET / HTTP/1.1|Ho¤st: h||",
        "GET / HTTP/1.1|Host¤: h||", "GET / HTTP/1.1|Host:¤h||", "GET / HTTP/1.1|Host: h¤||",
        "GET / HTTP/1.1|Host: a¤b||",
        "GET / HTTP/1.1|Host: h|¤: x||", "GET / HTTP/1.1|Host: h|X¤: x||", "GET / HTTP/1.1|Host: h|X: a¤b||",
        "GET / HTTP/1.1|Host: h|X: aaaaaaaa¤b||", "GET / HTTP/1.1|Host: h\r¤||", "GET / HTTP/1.1|Host: h|¤|",
        "GET / HTTP/1.1|Host: h|\r¤", "GET / HTTP/1.1|Host: h|Connection: clos¤||GET / HTTP/1.1|Host: h||",
        "GET / HTTP/1.1|Host: h|Connection: ¤close||GET / HTTP/1.1|Host: h||",
        "GET / HTTP/1.1|Host: h|Connection: close¤||GET / HTTP/1.1|Host: h||",
        "POST / HTTP/1.1|Host: h|Content-Length: ¤1||a", "POST / HTTP/1.1|Host: h|Content-Length: 1¤||a",
        "POST / HTTP/1.1|Host: h|Content-Length:¤1||a", "POST / HTTP/1.1|Host: h|Content-Length: 1||¤",
        "POST / HTTP/1.1|Host: h|Content-Length: 1||a¤",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: ¤chunked||0||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked¤||0||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunke¤||0||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||¤0||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||¤|a|0||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||0¤||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||0\r¤|",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||0;¤||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||0;a¤||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||0;a¤b||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||0;a=¤||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||0;a=b¤c||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||0;a=\"b¤\"||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||0;a=\"b\\¤\"||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||0;a=\"b\"¤||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||1|¤|0||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||1|a¤|0||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||1|a¤\n0||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||1|a\r¤0||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||0|¤|",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||0|X¤: a||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||0|X: a¤||",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||0||¤",
    ])
    func `No byte makes us read a request that llhttp refuses`(_ template: String) throws {
        var accepted = 0
        for byte in UInt8.min...UInt8.max {
            let bytes = Self.bytes(template, with: byte)
            let own = OwnDecoder.requests([bytes])
            let stock = try StockDecoder.requests(bytes)
            let agreement = RequestComparison.agreement(own, stock, bytes)
            #expect(agreement.violations.isEmpty, "byte \(byte)")
            if let reason = agreement.strictness {
                #expect(DeliberateStrictness.labels.contains(reason), "byte \(byte)")
            }
            if stock.refusal == nil, own.refusal == nil { accepted += 1 }
        }
        #expect(accepted < 256 || template.contains("|¤"))
    }

    @Test(arguments: [
        "¤HTTP/1.1 200 OK|Content-Length: 0||", "HTTP¤1.1 200 OK|Content-Length: 0||",
        "HTTP/1.¤ 200 OK|Content-Length: 0||", "HTTP/¤.1 200 OK|Content-Length: 0||",
        "HTTP/1.1¤200 OK|Content-Length: 0||", "HTTP/1.1 ¤00 OK|Content-Length: 0||",
        "HTTP/1.1 20¤ OK|Content-Length: 0||", "HTTP/1.1 200¤OK|Content-Length: 0||",
        "HTTP/1.1 200¤|Content-Length: 0||", "HTTP/1.1 200 O¤K|Content-Length: 0||",
        "HTTP/1.1 200 OK¤|Content-Length: 0||", "HTTP/1.1 200 OK\r¤Content-Length: 0||",
        "HTTP/1.1 200 OK|Content-Length: 0¤||", "HTTP/1.1 200 OK|Content-Length:¤0||",
        "HTTP/1.1 200 OK|X¤: a|Content-Length: 0||", "HTTP/1.1 200 OK|X: ¤|Content-Length: 0||",
        "HTTP/1.1 200 OK|Content-Length: 0||¤", "HTTP/1.1 204 OK||¤", "HTTP/1.1 200 OK|Content-Length: 0|¤|",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked¤||0||", "HTTP/1.1 200 OK|Transfer-Encoding: chunked||0¤||",
    ])
    func `No byte makes us read a response that llhttp refuses`(_ template: String) throws {
        for byte in UInt8.min...UInt8.max {
            let bytes = Self.bytes(template, with: byte)
            let own = OwnDecoder.responses([bytes], to: [.get], closing: false)
            let stock = try StockDecoder.responses(bytes, to: ["GET"], closing: false)
            let agreement = ResponseComparison.agreement(own, stock, bytes, [.get])
            #expect(agreement.violations.isEmpty, "byte \(byte)")
            if let reason = agreement.strictness {
                #expect(DeliberateStrictness.labels.contains(reason), "byte \(byte)")
            }
        }
    }

    /// A bar stands for CR LF, the sign ¤ for the byte in question.
    private static func bytes(_ template: String, with byte: UInt8) -> [UInt8] {
        let parts = template.split(separator: "¤", omittingEmptySubsequences: false)
        return Array(parts.map { $0.replacing("|", with: "\r\n").utf8 }.joined(separator: [byte]))
    }
}
