import AdminServer
import ArgumentParser
import NIOCore
import OAuthSigning
import Settings
import TestSupport
import Testing

@testable import paraph

@Suite("The question for a status", .generousLimit, .timed)
struct StatusQuestionTests {
    private func ask(_ answer: String, token: String? = nil) async throws -> (Result<String, any Error>, String) {
        let listener = try await CannedListener(answer)
        let settings = AdminListenerSettings(
            address: ListenAddress(host: "127.0.0.1", port: listener.port),
            token: token.map { Secret($0) }
        )
        let result: Result<String, any Error>
        do {
            result = .success(try await StatusQuestion(listener: settings, timeout: .minutes(10)).answer())
        } catch {
            result = .failure(error)
        }
        let request = await listener.request
        try await listener.close()
        return (result, request)
    }

    @Test("It is asked with the token, where there is one", arguments: [nil, "tok"])
    func token(token: String?) async throws {
        let answer = "HTTP/1.1 200 OK\r\nServer: paraph\r\nContent-Length: 2\r\n\r\n{}"
        let (result, request) = try await ask(answer, token: token)
        #expect(try result.get() == "{}")
        #expect(request.hasPrefix("GET /status HTTP/1.1\r\nHost: 127.0.0.1:"))
        #expect(request.contains("Authorization: Bearer tok\r\n") == (token != nil))
        #expect(request.contains("Authorization") == (token != nil))
    }

    @Test(
        "An answer that is none is told, with the code of the command",
        arguments: [
            (
                "HTTP/1.1 401 Unauthorized\r\nServer: paraph\r\n\r\n{\"message\":\"No\\u001b token\"}", 77,
                "answers 401: No token"
            ),
            ("HTTP/1.1 403 Forbidden\r\nServer: paraph\r\n\r\nno\u{1B}", 77, "answers 403: no"),
            ("HTTP/1.1 404 Not Found\r\nServer: paraph\r\n\r\nx", 69, "answers 404: x"),
            ("HTTP/1.1 200 OK\r\nServer: nginx\r\n\r\n{}", 69, "another program listens"),
            ("HTTP/1.1 200 OK\r\nServer: paraph\r\nContent-Length: 9\r\n\r\n{}", 69, "ended too early"),
            ("SSH-2.0-x\r\n", 69, "it does not speak HTTP"),
        ]
    )
    func refused(answer: String, code: Int32, words: String) async throws {
        let (result, _) = try await ask(answer)
        let failure = try #require(throws: StatusQuestion.Failure.self) { try result.get() }
        #expect(failure.exitCode == ExitCode(code))
        #expect(failure.description.contains(words))
    }
}
