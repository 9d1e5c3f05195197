import ArgumentParser
import Bytes
import Credentials
import OAuthSigning
import SignatureComparison

/// Checks a received request's signature.
struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check a received request's signature.",
        usage: """
            paraph verify METHOD URL --header 'Authorization: OAuth …' --account API/ACCOUNT [--config FILE] [options]
            paraph verify METHOD URL --header 'Authorization: OAuth …' --consumer-secret-env NAME [options]
            paraph verify METHOD URL --authorization - --consumer-secret-file FILE [options] < header
            paraph verify --request FILE --account API/ACCOUNT [--config FILE] [options]
            paraph verify METHOD /PATH --host HOST --header 'X-Forwarded-Proto: https' … [options]
            """,
        discussion: """
            The request is given as it was received, byte for byte; the parameters of the protocol are taken from the \
            Authorization field, or without one from the query and the form. Secrets come from the configuration and its \
            vault (--account), or from the environment or files, never from the command line. With --account only its \
            consumer key and its token are accepted. A request without a token, or with an empty one, is signed with the \
            consumer secret alone (RFC 5849, section 3.4.2), even when a token secret is given.

            A server behind a gateway receives a path, and a Host field that the client may never have seen. Where the \
            signature is not right for that host, those of the fields Forwarded, X-Forwarded-Host and X-Forwarded-Port, \
            the schemes of Forwarded and X-Forwarded-Proto, and the names of --other-host are tried: the one that the \
            signer signed for is told. The request is refused all the same, for anyone can send such a field.

            With --request the request is what a file has: an HTTP request, a curl command, a HAR or an entry of one. The \
            options of the request take the place of what it has.

            Exits with 0 when the signature is right, with 77 when it is not and says what the other side did \
            differently, as paraph explain --against does. Whether a nonce was seen before and whether a timestamp is too \
            old is not judged; the timestamp's distance from this machine's clock is shown.
            """
    )

    @Argument(help: "The request's method, such as GET.")
    var method: String?

    @Argument(help: "The request's URL as it was received, whole; or its path and query, with --host.")
    var url: String?

    @OptionGroup(title: "The request, as it was written down")
    var written: RequestOption

    @OptionGroup(title: "The request")
    var content: ExplainedContent

    @Option(
        help: ArgumentHelp(
            "Another name of the host, and port, that the signer may have signed for. May be repeated.",
            valueName: "host"
        )
    )
    var otherHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "The value of the Authorization field; - reads it from standard input. (Or --header 'Authorization: …'.)",
            valueName: "value"
        )
    )
    var authorization: String?

    @OptionGroup(title: "The account of a configuration")
    var account: AccountOption

    @OptionGroup(title: "The credentials")
    var credentials: KnownCredentials

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        try written.validate(method: method, url: url, besides: authorization)
        if authorization != nil, content.fieldValue("Authorization") != nil {
            throw ValidationError("Authorization is given twice.")
        }
        if account.isGiven, credentials.isGiven {
            throw ValidationError("Give either --account or the options for the credentials.")
        }
        if let host = otherHost.first(where: { !GivenRequest.isAuthority($0) }) {
            throw ValidationError("--other-host takes a host, or host and port, and \"\(host)\" is neither.")
        }
    }

    func run() async throws {
        ProcessHardening.apply()
        try await GivenData.reporting {
            var given = try await content.applied(to: written.request(method: method, url: url))
            let received = try await received(given)
            let now = ExplainedSignature.now()
            let outcome = try received.verify(now: now)
            given.notes += AuthorizationFields(of: given).remarks(isSigned: outcome.isSigned)
            if let remark = given.bodyRemark { given.notes.append(remark) }
            let report = VerifyReport(
                outcome: outcome,
                now: now,
                hasTokenSecret: received.request.credentials.tokenSecret != nil,
                hasAuthorization: received.authorization != nil,
                notes: given.notes
            )
            if json { StandardOutput.print(json: report.json) } else { StandardOutput.print(report.text) }
            if !report.isVerified { throw ExitCode.refused }
        }
    }

    /// - Throws: The errors that ``GivenData/reporting(_:)`` tells of.
    func received(_ given: GivenRequest) async throws -> RequestToVerify {
        var request = ExplainableRequest(
            method: given.method,
            url: try given.url,
            host: given.fieldValue("Host"),
            contentType: given.fieldValue("Content-Type"),
            body: given.body
        )
        let field: String? =
            if let authorization {
                try await GivenFile.textOrInput(authorization)
            } else {
                AuthorizationFields(of: given).signing
            }
        if field == nil, given.format == .accessLog { throw GivenRequestError.noSignature }
        let isOwn = credentials.isGiven
        let signing = isOwn ? nil : try await account.signingAccount(else: given.account)
        let publicKey: RSAVerificationKey?
        if let signing {
            request.sign(as: signing)
            publicKey = signing.oauth1.client.privateKey?.verificationKey
        } else {
            let secrets = try await credentials.secrets.read()
            request.credentials = ExplainableCredentials(consumerSecret: secrets.consumer, tokenSecret: secrets.token)
            publicKey = try await credentials.publicKey()
        }
        return RequestToVerify(
            request: request,
            authorization: field.map { SentSignature.fieldValue(Array($0.utf8)) },
            consumerKey: signing.map(\.oauth1.client.identifier) ?? credentials.consumerKey,
            token: signing.map { $0.sentToken ?? "" } ?? credentials.token,
            publicKey: publicKey,
            otherAddresses: otherAddresses(given, request),
            secretVariables: signing?.secretVariables ?? credentials.secrets.variables
        )
    }

    private func otherAddresses(_ given: GivenRequest, _ request: ExplainableRequest) -> [SignerAddress] {
        guard let uri = AbsoluteURI(Array(request.url.utf8).span),
            let scheme = URIScheme(name: uri.scheme.span)
        else { return [] }
        let host = request.host ?? String(decoding: uri.authority, as: UTF8.self)
        return SignerAddress.candidates(for: given, scheme: scheme, host: host, otherHosts: otherHost)
    }
}
