import Foundation
import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The proxy's own answers")
struct ProblemResponseTests {
    private struct Document: Decodable {
        var type: String
        var title: String
        var status: Int
        var detail: String
    }

    private func response(_ problem: Problem, omitsBody: Bool = false, closes: Bool = false) -> (
        head: String, body: String
    ) {
        let bytes = ProblemResponse.bytes(
            for: problem,
            omitsBody: omitsBody,
            closes: closes
        )
        let text = String(buffer: bytes)
        let end = text.range(of: "\r\n\r\n")
        return (
            String(text[..<(end?.lowerBound ?? text.endIndex)]),
            String(text[(end?.upperBound ?? text.endIndex)...])
        )
    }

    private func field(_ name: String, of head: String) -> String? {
        head.components(separatedBy: "\r\n").first { $0.hasPrefix(name + ": ") }.map {
            String($0.dropFirst(name.count + 2))
        }
    }

    private static let hostile = "say \"no\"\\\u{0}\u{1}\u{1F}\u{7F}\r\nX-Injected: 1\r\n\r\nGrüße 🌍"

    @Test("The body is a problem document that says what the problem says", arguments: ["plain", hostile])
    func encodesDocument(detail: String) throws {
        let (head, body) = response(Problem(status: 502, token: .dnsError, detail: detail))
        let document = try JSONDecoder().decode(Document.self, from: Data(body.utf8))
        #expect(document.type == "about:blank")
        #expect(document.title == "Bad Gateway")
        #expect(document.status == 502)
        #expect(document.detail == detail)
        #expect(head.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
        #expect(field("Content-Type", of: head) == "application/problem+json")
        #expect(field("Content-Length", of: head) == String(body.utf8.count))
    }

    @Test("Text from outside adds no line to the head")
    func injectsNothing() {
        let problem = Problem(status: 502, token: .dnsError, detail: Self.hostile, summary: Self.hostile)
        let (head, _) = response(problem)
        #expect(field("X-Injected", of: head) == nil)
        #expect(head.unicodeScalars.allSatisfy { $0.isASCII })
    }

    @Test(
        "Proxy-Status is a structured item with its error and details",
        arguments: [
            ("plain", "plain"), ("first\nsecond", "first"), ("a \"b\" \\c", "a \"b\" \\c"), ("é", "?"), ("", ""),
            ("{allow: […]}", "{allow: [...]}"),
            (String(repeating: "\"", count: 500), String(repeating: "\"", count: 240)),
        ]
    )
    func writesProxyStatus(detail: String, expected: String) throws {
        let (head, _) = response(Problem(status: 403, token: .httpRequestDenied, detail: detail))
        let value = try #require(field("Proxy-Status", of: head))
        let item = try StructuredItem(value)
        #expect(item.token == "paraph")
        #expect(item.parameters["error"] == .token("http_request_denied"))
        #expect(item.parameters["details"] == .string(expected))
    }

    @Test("A summary goes into Proxy-Status in the place of the detail")
    func prefersSummary() throws {
        let (head, _) = response(Problem(status: 502, token: .tlsCertificateError, detail: "long", summary: "short"))
        let value = try #require(field("Proxy-Status", of: head))
        #expect(try StructuredItem(value).parameters["details"] == .string("short"))
    }

    @Test("An answer to HEAD has the fields of the full answer and no body")
    func omitsBody() {
        let problem = Problem(status: 502, token: .dnsError, detail: "text")
        let full = response(problem)
        let bare = response(problem, omitsBody: true)
        #expect(bare.head == full.head)
        #expect(bare.body.isEmpty)
        #expect(!full.body.isEmpty)
    }

    @Test("A client that is not known is asked for its credentials")
    func challenges() {
        let (head, _) = response(Problem(status: 407, token: .httpRequestDenied, detail: "who?"))
        #expect(field("Proxy-Authenticate", of: head) == "Basic realm=\"paraph\", charset=\"UTF-8\"")
        let (other, _) = response(Problem(status: 403, token: .httpRequestDenied, detail: "no"))
        #expect(field("Proxy-Authenticate", of: other) == nil)
    }

    @Test("Retry-After and Connection are sent when they are due")
    func sendsConditionalFields() {
        let (busy, _) = response(.tooManyConnections, closes: true)
        #expect(field("Retry-After", of: busy) == "1")
        #expect(field("Connection", of: busy) == "close")
        let (other, _) = response(.requestTimeout)
        #expect(field("Retry-After", of: other) == nil)
        #expect(field("Connection", of: other) == nil)
    }

    @Test(
        "Every status that is answered with has its reason phrase",
        arguments: [400, 403, 407, 408, 413, 414, 421, 431, 500, 501, 502, 503, 504, 505]
    )
    func knowsReasons(status: Int) {
        #expect(ProblemResponse.reasonPhrase(status) != "Error")
    }
}
