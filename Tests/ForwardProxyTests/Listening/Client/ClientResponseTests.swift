import HTTP1Codec
import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The response to a client that speaks HTTP/1.1")
struct ClientResponseTests {
    private let scratch = ResponseScratch()

    private func write(
        _ head: String,
        to request: String = "GET / HTTP/1.1\nHost: a\n\n",
        closes: Bool = false,
        requestIsComplete: Bool = true
    ) throws -> ClientResponse {
        var response = ClientResponse()
        let request = try requestHead(request)
        response.writeHead(
            try responseHead(head, to: request.method),
            to: request,
            closes: closes,
            proxyStatus: nil,
            requestIsComplete: requestIsComplete,
            into: scratch
        )
        return response
    }

    @Test("It is the last one where either side says so, or the rest of the request is dropped")
    func closes() throws {
        let head = "HTTP/1.1 200 OK\nContent-Length: 0\n\n"
        let last = "HTTP/1.1 200 OK\nContent-Length: 0\nConnection: close\n\n"
        #expect(try !write(head).closes)
        #expect(try !write(last).closes)
        #expect(try write(head, closes: true).closes)
        #expect(try write(head, to: "GET / HTTP/1.1\nHost: a\nConnection: close\n\n").closes)
        #expect(try !write(head, requestIsComplete: false).closes)
        #expect(try write(last, requestIsComplete: false).closes)
        // A body that nothing else ends.
        #expect(try write("HTTP/1.0 200 OK\n\n", to: "GET http://a/ HTTP/1.0\nConnection: keep-alive\n\n").closes)
    }

    @Test("An answer of the proxy is the last one where nothing behind its request can be served")
    func answersClose() throws {
        let request = try requestHead("GET / HTTP/1.1\nHost: a\n\n")
        let last = try requestHead("GET / HTTP/1.1\nHost: a\nConnection: close\n\n")
        let malformed = Problem(status: 400, token: .httpRequestError, detail: "It is malformed.")
        let cases: [(problem: Problem, request: RequestHead?, closes: Bool, requestIsComplete: Bool, isLast: Bool)] = [
            (.requestTimeout, request, false, true, false), (.requestTimeout, request, false, false, true),
            (.requestTimeout, request, true, true, true), (.requestTimeout, last, false, true, true),
            (.requestTimeout, nil, false, true, true), (malformed, request, false, true, true),
            (.configurationChanged, request, false, true, true), (.gatewayGone, request, false, true, true),
        ]
        for (problem, request, closes, requestIsComplete, isLast) in cases {
            let answer = ClientResponse.answer(
                problem,
                to: request,
                closes: closes,
                requestIsComplete: requestIsComplete
            )
            #expect(answer.closes == isLast)
            #expect(String(buffer: answer.bytes).contains("\r\nConnection: close\r\n") == isLast)
        }
    }

    @Test("The proxy's answer to HEAD has no body")
    func answersHead() throws {
        let request = try requestHead("HEAD / HTTP/1.1\nHost: a\n\n")
        let answer = ClientResponse.answer(.requestTimeout, to: request, closes: false, requestIsComplete: true)
        #expect(String(buffer: answer.bytes).hasSuffix("\r\n\r\n"))
    }

    @Test("A small piece of a chunked body is a whole chunk, and what precedes a large one is not its end")
    func chunks() throws {
        let response = try write("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n")
        #expect(response.isChunked)
        var out = ByteBuffer()
        #expect(response.writePiece(ByteBuffer(string: "abc"), into: &out))
        #expect(String(buffer: out) == "3\r\nabc\r\n")
        out.clear()
        #expect(!response.writePiece(ByteBuffer(repeating: 0, count: 0x10000), into: &out))
        #expect(String(buffer: out) == "10000\r\n")
    }

    @Test("Pieces of other bodies are written as they are")
    func counted() throws {
        let response = try write("HTTP/1.1 200 OK\nContent-Length: 70000\n\n")
        #expect(!response.isChunked)
        var out = ByteBuffer()
        #expect(response.writePiece(ByteBuffer(string: "abc"), into: &out))
        #expect(!response.writePiece(ByteBuffer(repeating: 0, count: 0x10000), into: &out))
        #expect(String(buffer: out) == "abc")
    }

    @Test("Its head is taken back once, and not after it was sent")
    func withdraws() throws {
        let head = "HTTP/1.1 200 OK\nContent-Length: 0\n\n"
        var response = try write(head)
        #expect(response.withdrawHead() == true)
        #expect(response.withdrawHead() == false)
        response = try write(head)
        response.headWasSent()
        #expect(response.withdrawHead() == false)
    }
}
