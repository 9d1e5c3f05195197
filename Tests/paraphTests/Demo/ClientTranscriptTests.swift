import Testing

@testable import paraph

@Suite struct ClientTranscriptTests {
    @Test func `heads are read from what curl tells`() {
        let output = """
            *   Trying 127.0.0.1:1...\r
            > CONNECT api.test:443 HTTP/1.1\r
            > Host: api.test:443\r
            > \r
            < HTTP/1.1 200 Connection established\r
            < \r
            *  subject: CN=api.test
            *  issuer: O=Paraph; CN=Paraph local CA
            } [5 bytes data]
            > POST /a?b HTTP/1.1\r
            > Host: api.test\r
            >\r
            < HTTP/1.1 204 No Content\r
            < Via: 1.1 paraph\r
            <\r
            * Connection #0 to host 127.0.0.1 left intact

            """
        let transcript = ClientTranscript(verboseOutput: output)
        #expect(
            transcript.sent == [
                ["CONNECT api.test:443 HTTP/1.1", "Host: api.test:443"],
                ["POST /a?b HTTP/1.1", "Host: api.test"],
            ]
        )
        #expect(
            transcript.received == [
                ["HTTP/1.1 200 Connection established"], ["HTTP/1.1 204 No Content", "Via: 1.1 paraph"],
            ]
        )
        #expect(transcript.certificateIssuer == "O=Paraph; CN=Paraph local CA")
        #expect(transcript.failure == nil)
    }

    @Test func `curl's own error is kept`() {
        let transcript = ClientTranscript(verboseOutput: "* connect failed\ncurl: (7) Failed to connect\n")
        #expect(transcript.failure == "curl: (7) Failed to connect")
        #expect(transcript.sent.isEmpty)
    }
}
