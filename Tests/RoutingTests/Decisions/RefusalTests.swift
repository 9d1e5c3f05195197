import Bytes
import Routing
import Testing

@Suite("Refusal")
struct RefusalTests {
    static let all: [(Refusal, Int, String)] = [
        (.malformedAuthority(.badHost), 400, "http_request_error"),
        (.unsupportedTarget, 400, "http_request_error"),
        (.malformedProxyAuthorization, 400, "http_request_error"),
        (.missingHost, 400, "http_request_error"),
        (.misdirected(connect: authority), 421, "http_request_error"),
        (.hostDiffersFromTarget(authority), 421, "http_request_error"),
        (.clientNotAuthenticated, 407, "http_request_denied"),
        (.hostOfNoAPI(authority), 403, "http_request_denied"),
        (.tunnelNeeded(authority), 403, "http_request_denied"),
        (.portNotAllowed(authority), 403, "http_request_denied"),
        (.apiNotAllowed(client: "c", api: "a"), 403, "http_request_denied"),
        (.otherHostNotAllowed(client: "c", authority), 403, "http_request_denied"),
        (.methodOverridden(field: "x-http-method", api: "a"), 403, "http_request_denied"),
        (.methodParameter(api: "a"), 403, "http_request_denied"),
        (.accountNotAllowed(client: "c", account: "a"), 403, "http_request_denied"),
        (.unknownAccount("a", api: "b"), 403, "http_request_denied"),
        (.unknownAccount("default", api: "b"), 403, "http_request_denied"),
        (.methodNotAllowed(api: "a"), 403, "http_request_denied"),
        (.pathNotAllowed(api: "a"), 403, "http_request_denied"),
        (.ambiguousPath(api: "a"), 403, "http_request_denied"),
        (.gatewayClientNotAuthenticated, 401, "http_request_denied"),
        (.gatewayIsNoProxy, 421, "http_request_error"),
        (.hostOfNoGateway(authority), 421, "http_request_error"),
        (.foreignPage, 403, "http_request_denied"),
    ]

    private static let authority: Authority = {
        guard let authority = try? Authority(parsing: "a.example:443", defaultPort: nil) else { preconditionFailure() }
        return authority
    }()

    @Test("has the status and error type of its case, and a sentence that says what to do", arguments: all)
    func answers(_ refusal: Refusal, _ status: Int, _ token: String) {
        #expect(refusal.status == status)
        #expect(refusal.proxyStatusError == token)
        #expect(refusal.label.allSatisfy { $0.isLowercase || $0 == "_" })
        #expect(refusal.description.hasSuffix("."))
    }

    @Test("has a label of its own for each case")
    func labels() {
        // The unknown account appears twice above: its sentence depends on whether it was named.
        #expect(Set(Self.all.map(\.0.label)).count == Self.all.count - 1)
    }

    @Test("names the API that a request was for, where that is known")
    func apis() {
        #expect(Refusal.apiNotAllowed(client: "c", api: "a").api == "a")
        #expect(Refusal.unknownAccount("c", api: "a").api == "a")
        #expect(Refusal.methodOverridden(field: "f", api: "a").api == "a")
        #expect(Refusal.pathNotAllowed(api: "a").api == "a")
        #expect(Refusal.accountNotAllowed(client: "c", account: "a").api == nil)
        #expect(Refusal.foreignPage.api == nil)
    }

    @Test("repeats what a client sent short and printable")
    func quoting() {
        let name = "ev\r\nil\"\\\u{202e}é" + String(repeating: "x", count: 500)
        let text = Refusal.unknownAccount(name, api: "t").description
        #expect(text.unicodeScalars.allSatisfy { $0.isPrintable })
        #expect(text.utf8.count < 400)
        #expect(text.contains(#"'ev\u{d}\u{a}il\"\\\u{202e}éx"#))
    }
}
