import ArgumentParser
import OAuthSigning
import SignatureComparison

/// Checks a received request's signature.
struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a received request's signature.",
        usage: """
            paraph verify METHOD URL --header 'Authorization: OAuth …' --consumer-secret-env NAME [options]
            paraph verify METHOD URL --authorization - --consumer-secret-file FILE [options] < header
            """,
        discussion: """
            The request is given as it was received, byte for byte; the parameters of the protocol are taken from the \
            Authorization field, or without one from the query and the form. Secrets come from the environment or from \
            files, never from the command line. A request without a token, or with an empty one, is signed with the \
            consumer secret alone (RFC 5849, section 3.4.2), even when a token secret is given.

            Exits with 0 when the signature is right, with 77 when it is not and says what the other side did \
            differently, as paraph explain --against does. Whether a nonce was seen before and whether a timestamp is too \
            old is not judged; the timestamp's distance from this machine's clock is shown.
            """
    )

    @Argument(help: "The request's method, such as GET.")
    var method: String

    @Argument(help: "The request's URL, whole, as it was received.")
    var url: String

    @OptionGroup(title: "The request")
    var content: ExplainedContent

    @Option(
        help: ArgumentHelp(
            "The value of the Authorization field; - reads it from standard input. (Or --header 'Authorization: …'.)",
            valueName: "value"
        )
    )
    var authorization: String?

    @OptionGroup(title: "The credentials")
    var credentials: KnownCredentials

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        if authorization != nil, content.fieldValue("Authorization") != nil {
            throw ValidationError("Authorization is given twice.")
        }
    }

    func run() throws {
        ProcessHardening.apply()
        try GivenData.reporting {
            let received = try received()
            let now = ExplainedSignature.now()
            let report = VerifyReport(
                outcome: try received.verify(now: now),
                now: now,
                hasTokenSecret: received.request.tokenSecret != nil
            )
            if json { StandardOutput.print(json: report.json) } else { StandardOutput.print(report.text) }
            if !report.isVerified { throw ExitCode.refused }
        }
    }

    private func received() throws -> RequestToVerify {
        let secrets = try credentials.secrets.read()
        return RequestToVerify(
            request: ExplainableRequest(
                method: method,
                url: url,
                host: content.host ?? content.fieldValue("Host"),
                contentType: content.mediaType,
                body: try content.body(),
                consumerSecret: secrets.consumer,
                tokenSecret: secrets.token
            ),
            authorization: try (authorization.map(GivenFile.textOrInput) ?? content.fieldValue("Authorization"))
                .map { SentSignature.fieldValue(Array($0.utf8)) },
            consumerKey: credentials.consumerKey,
            token: credentials.token,
            publicKey: try credentials.publicKey()
        )
    }
}
