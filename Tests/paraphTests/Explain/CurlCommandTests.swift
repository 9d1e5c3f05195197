import ArgumentParser
import OAuthSigning
import Testing

@testable import paraph

@Suite struct CurlCommandTests {
    @Test(arguments: [
        ("GET", " --globoff --header "), ("HEAD", " --globoff --head --header "),
        ("DELETE", " --globoff --request DELETE --header "), ("a'b", #" --globoff --request 'a'\''b' --header "#),
    ])
    func `the method is asked for in curl's own way`(method: String, words: String) throws {
        let request = ExplainableRequest(
            method: method,
            url: "https://api.test/",
            consumerKey: "k",
            consumerSecret: Secret("s"),
            nonce: "n",
            timestamp: "1"
        )
        let command = CurlCommand(
            request: request,
            explanation: try request.explain(),
            content: try ExplainedContent.parse([])
        )
        #expect(command.line.contains(words), "\(command.line)")
    }

    @Test func `what a shell would act on reaches curl as it is`() throws {
        let body = "it's $(id)"
        let request = ExplainableRequest(
            method: "POST",
            url: "https://api.test/",
            body: Array(body.utf8),
            consumerKey: "k",
            consumerSecret: Secret("s"),
            nonce: "n",
            timestamp: "1"
        )
        let command = CurlCommand(
            request: request,
            explanation: try request.explain(),
            content: try ExplainedContent.parse(["--data", body])
        )
        #expect(command.line.contains(#" --data-raw 'it'\''s $(id)' "#))
    }
}
