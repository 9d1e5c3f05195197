import NIOCore
import Settings
import TestSupport
import Testing

@testable import paraph

@Suite("The stream of the requests", .generousLimit, .timed)
struct AdminEventsTests {
    @Test("of a proxy that says nothing any more has ended", arguments: [true, false])
    func silent(begins: Bool) async throws {
        let head = "HTTP/1.1 200 OK\r\nServer: paraph\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n:\n\n\r\n"
        let listener = try await CannedListener(begins ? head : nil, closes: false)
        let address = ListenAddress(host: "127.0.0.1", port: listener.port)
        let events = AdminEvents(address: address, token: nil, silence: .milliseconds(50))
        let error = await #expect(throws: AdminEvents.Failure.self) {
            try await events.follow(opened: {}) { _ in }
        }
        #expect(error?.description == "the proxy at \(address) says nothing any more")
        #expect(error?.isFinal == false)
        try await listener.close()
    }

    private func failure(answer: String) async throws -> (AdminEvents.Failure?, ListenAddress) {
        let listener = try await CannedListener(answer)
        let address = ListenAddress(host: "127.0.0.1", port: listener.port)
        let error = await #expect(throws: AdminEvents.Failure.self) {
            try await AdminEvents(address: address, token: nil).follow(opened: {}) { _ in }
        }
        try await listener.close()
        return (error, address)
    }

    @Test(
        "of another program is none",
        arguments: [
            "SSH-2.0-OpenSSH\r\n", "HTTP/1.1 200 OK\r\nServer: other\r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nServer: paraph\r\nContent-Length: 0\r\n\r\n",
        ]
    )
    func otherProgram(answer: String) async throws {
        let (error, address) = try await failure(answer: answer)
        #expect(error?.description == "another program listens at \(address) (listen.admin)")
        #expect(error?.isFinal == true)
    }

    @Test("is refused with the proxy's own words")
    func refused() async throws {
        let body = #"{"message": "No token."}"#
        let (error, address) = try await failure(
            answer: "HTTP/1.1 503 Busy\r\nServer: paraph\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        #expect(error?.description == "the proxy at \(address) answers with 503: No token.")
        #expect(error?.isFinal == false)
    }

    @Test(
        "ends with its last chunk, and where a chunk has no size",
        arguments: [
            ("0\r\n\r\n", "the proxy at ADDRESS has ended the stream"),
            ("+5\r\nabcde\r\n", "the stream of ADDRESS is malformed"),
        ]
    )
    func ends(chunk: String, reason: String) async throws {
        let (error, address) = try await failure(
            answer: "HTTP/1.1 200 OK\r\nServer: paraph\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)"
        )
        #expect(error?.description == reason.replacing("ADDRESS", with: "\(address)"))
        #expect(error?.isFinal == false)
    }
}
