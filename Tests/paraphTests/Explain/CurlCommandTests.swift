import ArgumentParser
import OAuthSigning
import Testing

@testable import paraph

@Suite struct CurlCommandTests {
    private func command(
        _ method: String = "GET",
        body: [UInt8]? = nil,
        secret: Secret? = Secret("s"),
        fields: [RequestField] = []
    ) throws -> CurlCommand {
        let request = ExplainableRequest(
            method: method,
            url: "https://api.test/",
            body: body,
            credentials: ExplainableCredentials(consumerKey: "k", consumerSecret: secret),
            nonce: "n",
            timestamp: "1"
        )
        return CurlCommand(request: request, explanation: try request.explain(), fields: fields)
    }

    @Test(arguments: [
        ("GET", " --globoff --header "), ("HEAD", " --globoff --head --header "),
        ("DELETE", " --globoff --request DELETE --header "), ("a'b", #" --globoff --request 'a'\''b' --header "#),
    ])
    func `the method is asked for in curl's own way`(method: String, words: String) throws {
        let command = try command(method)
        #expect(command.line.contains(words), "\(command.line)")
    }

    @Test func `what a shell would act on reaches curl as it is`() throws {
        let body = "it's $(id)"
        let command = try command("POST", body: Array(body.utf8))
        #expect(command.line.contains(#" --data-raw 'it'\''s $(id)' "#))
    }

    @Test func `what was sent to whom else is left out, and the signature is ours`() throws {
        let fields = [("Cookie", "theirs"), ("authorization", "theirs"), ("Content-Length", "3"), ("X-Kept", "kept")]
        let command = try command(secret: nil, fields: fields.map { RequestField(name: $0, value: $1) })
        #expect(!command.line.contains("theirs") && !command.line.contains("Content-Length"))
        #expect(command.line.contains("'X-Kept: kept'") && command.line.contains("Authorization: OAuth"))
    }
}
