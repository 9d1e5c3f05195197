import Credentials
import HTTP1Codec
import NIOCore
import OAuthSigning
import Testing

@testable import ForwardProxy

@Suite("The secrets of a request")
struct ExchangeSecretsTests {
    private static let form =
        "POST /a?access_token=in-the-target HTTP/1.1\nHost: a\nX-Secret: in-a-field\nCookie: a=abc\n"
        + "Content-Type: application/x-www-form-urlencoded\nContent-Length: 20\n"
    private static let formBody = "password=in-the-body"

    private func secrets(
        _ head: String = Self.form,
        body: String? = Self.formBody,
        tokenField: String? = nil,
        ready: ReadyAuthorization? = nil
    ) throws -> ExchangeSecrets {
        ExchangeSecrets(
            head: try requestHead(head + "\n"),
            body: body.map { ByteBuffer(string: $0) },
            tokenField: tokenField.flatMap { TokenField($0) },
            ready: ready,
            account: [Secret("of-the-account")]
        )
    }

    private func values(_ secrets: ExchangeSecrets) -> Set<String> {
        Set(secrets.ofRequest().values.map { $0.revealed() })
    }

    @Test("Those that authorize it are the account's and those of its token")
    func authorizing() throws {
        let none = try secrets().authorizing
        #expect(none == [Secret("of-the-account")])
        let signing = try secrets(ready: ReadyAuthorization.signing()).authorizing
        #expect(signing == [Secret("of-the-account"), Secret("exchanged"), Secret("token-secret")])
        let bearing = try secrets(ready: ReadyAuthorization.bearing()).authorizing
        #expect(bearing == [Secret("of-the-account"), Secret("access-token"), Secret("refresh-token")])
    }

    @Test("The client's own are in the target, in fields and in the body")
    func ofRequest() throws {
        let found = try secrets()
        let values = values(found)
        #expect(values.isSuperset(of: ["in-the-target", "in-a-field", "in-the-body"]))
        let (words, areAllKnown) = (found.ofRequest().words, found.ofRequest().areAllKnown)
        #expect(words.contains(Secret("abc")))
        #expect(areAllKnown)
    }

    @Test("The token that it was signed for is one of them, and one that it bears is not")
    func token() throws {
        let signing = try values(secrets(ready: ReadyAuthorization.signing()))
        #expect(signing.contains("the-token"))
        let bearing = try values(secrets(ready: ReadyAuthorization.bearing()))
        #expect(!bearing.contains("access-token"))
    }

    @Test("The field in which the API takes its tokens has one whatever its name is")
    func tokenField() throws {
        let head = "GET / HTTP/1.1\nHost: a\nX-Place: somewhere\n"
        let plain = try values(secrets(head, body: nil))
        #expect(!plain.contains("somewhere"))
        let named = try values(secrets(head, body: nil, tokenField: "x-place"))
        #expect(named.contains("somewhere"))
    }

    @Test("They are not all known where the body is not, or is too large or encoded")
    func unknown() throws {
        for found in [
            try secrets(body: nil), try secrets(body: String(repeating: "a", count: 64 * 1024 + 1)),
            try secrets(Self.form + "Content-Encoding: gzip\n"),
        ] {
            let areAllKnown = found.ofRequest().areAllKnown
            #expect(!areAllKnown)
            let isTakenOut = found.scrubber() != nil
            #expect(!isTakenOut)
        }
    }

    @Test("A body of another type, or none, has none")
    func otherBodies() throws {
        let text = "POST / HTTP/1.1\nHost: a\nContent-Type: text/plain\nContent-Length: 20\n"
        for head in [text, "GET / HTTP/1.1\nHost: a\n"] {
            let areAllKnown = try secrets(head, body: nil).ofRequest().areAllKnown
            #expect(areAllKnown)
        }
    }

    @Test("All of them are taken out of what a server says")
    func scrubber() throws {
        let scrubber = try #require(try secrets(ready: ReadyAuthorization.signing()).scrubber())
        for secret in ["of-the-account", "exchanged", "token-secret", "the-token", "in-the-target", "in-the-body"] {
            let isFound = scrubber.finds(in: "it was \(secret)")
            #expect(isFound, "\(secret)")
        }
        let isFound = scrubber.finds(in: "it was no")
        #expect(!isFound)
    }
}
