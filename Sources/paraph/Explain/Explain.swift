import ArgumentParser
import OAuthSigning

/// Shows how requests are signed.
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show how a request is signed: parameters, base string, key (masked), signature, header.",
        usage: """
            paraph explain METHOD URL --consumer-key KEY [options]
            paraph explain --batch < requests.jsonl
            """,
        discussion: """
            No configuration file is read. Secrets are taken from the environment or from files, never from the command \
            line, where every user of the machine could read them. Without --nonce and --timestamp a random nonce and \
            the present time are used, so that the header can be sent.

            With --batch each line of standard input is a JSON object with method and url, and optionally host, body or \
            body_base64, content_type, consumer_key, consumer_secret, token, token_secret, nonce, timestamp, \
            signature_method, private_key (PEM), realm, extra (an object of further protocol parameters), \
            include_version and body_hash (true or false). Nothing is made up: without nonce or timestamp none is sent. \
            Each output line is an object with normalized_parameters, base_string, signature and authorization, or with \
            error.
            """
    )

    @Argument(help: "The request's method, such as GET.")
    var method: String?

    @Argument(help: "The request's URL, whole, octet for octet as it is sent.")
    var url: String?

    @OptionGroup(title: "The request")
    var content: ExplainedContent

    @OptionGroup(title: "The credentials")
    var credentials: ExplainedCredentials

    @OptionGroup(title: "The signature")
    var signature: ExplainedSignature

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Read JSON Lines from standard input and write one JSON line for each.")
    var batch = false

    func validate() throws {
        switch (batch, method, url) {
        case (true, nil, nil): break
        case (false, .some, .some):
            if credentials.consumerKey == nil { throw ValidationError("Give a --consumer-key.") }
        case (true, _, _):
            throw ValidationError("--batch takes its requests from standard input; leave out METHOD and URL.")
        case (false, nil, _): throw ValidationError("Give a METHOD and a URL, or --batch.")
        case (false, .some, nil): throw ValidationError("Give a URL after the method.")
        }
    }

    func run() throws {
        guard let method, let url else { return try ExplainBatch.run() }
        do {
            let request = try request(method: method, url: url)
            let explanation = try request.explain()
            let report = ExplanationReport(request: request, explanation: explanation, content: content)
            print(json ? report.json : report.text)
        } catch let error as ExplainError {
            StandardError.print("paraph: \(error)")
            throw ExitCode.badData
        } catch let error as SecretSourceError {
            StandardError.print("paraph: \(error)")
            throw ExitCode.badData
        }
    }

    private func request(method: String, url: String) throws -> ExplainableRequest {
        let body = try content.body()
        return ExplainableRequest(
            method: method,
            url: url,
            host: content.host ?? content.fieldValue("Host"),
            contentType: content.mediaType,
            body: body,
            consumerKey: credentials.consumerKey,
            consumerSecret: try credentials.consumerSecret(),
            token: credentials.token,
            tokenSecret: try credentials.tokenSecret(),
            privateKey: try credentials.privateKey(),
            nonce: signature.nonce ?? ExplainedSignature.randomNonce(),
            timestamp: signature.timestamp ?? ExplainedSignature.now(),
            extra: signature.parameter,
            options: signature.options
        )
    }
}
