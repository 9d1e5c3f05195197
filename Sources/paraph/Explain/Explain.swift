import ArgumentParser
import Bytes
import Credentials
import OAuthSigning
import SignatureComparison

/// Shows how requests are signed.
struct Explain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show how a request is signed: parameters, base string, key (masked), signature, header.",
        usage: """
            paraph explain METHOD URL --account API/ACCOUNT [--config FILE] [options]
            paraph explain METHOD URL --consumer-key KEY [options]
            paraph explain --request FILE --account API/ACCOUNT [--config FILE] [options]
            paraph explain METHOD URL --consumer-key KEY [options] --against 'OAuth oauth_consumer_key="…", …'
            paraph explain --batch < requests.jsonl
            """,
        discussion: """
            With --account, consumer and token are those of an account of the configuration, and the request is signed as \
            those of its API are; the options of the signature that are given besides take the place of what the \
            configuration has. Without it no configuration is read, and secrets are taken from the environment or from \
            files, never from the command line, where every user of the machine could read them. Without --nonce and \
            --timestamp a random nonce and the present time are used, so that the header can be sent.

            With --request the request is what a file has: an HTTP request, a curl command (as Postman and browsers copy \
            it), a HAR or an entry of one, a line of paraph's access log. The options of the request take the place of \
            what it has. A signature that it has is compared with, as by --against. A line of the log tells the account, \
            too. No file is read because a curl command names it, and no shell's variable is replaced.

            With --against the request is signed with the other side's nonce and timestamp; where the signatures part \
            all the same, deviations from RFC 5849 are tried, alone and in twos, until the other side's signature comes \
            out: that names what it did. The exit code is 0 for the same signature and parameters, 1 otherwise.

            With --batch each line of standard input is a JSON object with method and url, and optionally host, body or \
            body_base64, content_type, consumer_key, consumer_secret, token, token_secret, nonce, timestamp, \
            signature_method, private_key (PEM), realm, extra (an object of further protocol parameters), \
            include_version and body_hash (true or false). Nothing is made up: without nonce or timestamp none is sent. \
            Each output line is an object with normalized_parameters, base_string, signature and authorization, or with \
            error; a key that is not one of these is an error.
            """
    )

    @Argument(help: "The request's method, such as GET.")
    var method: String?

    @Argument(help: "The request's URL, whole, byte for byte as it is sent; or its path, with --host.")
    var url: String?

    @OptionGroup(title: "The request, as it was written down")
    var written: RequestOption

    @OptionGroup(title: "The request")
    var content: ExplainedContent

    @OptionGroup(title: "The account of a configuration")
    var account: AccountOption

    @OptionGroup(title: "The credentials")
    var credentials: ExplainedCredentials

    @OptionGroup(title: "The signature")
    var signature: ExplainedSignature

    @Option(
        help: ArgumentHelp(
            """
            Show where another signature of the request differs, and why: an Authorization field's value, or the base \
            string that a provider returned; - reads it from standard input.
            """,
            valueName: "header"
        )
    )
    var against: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Read JSON Lines from standard input and write one JSON line for each.")
    var batch = false

    func validate() throws {
        if account.isGiven, credentials.isGiven {
            throw ValidationError("Give either --account or the options for the credentials.")
        }
        if batch { return try validateBatch() }
        try written.validate(method: method, url: url, besides: against)
        // A line of the log names the account itself.
        if written.request == nil, !account.isGiven, credentials.consumerKey == nil {
            throw ValidationError(MissingCredential.consumer.description)
        }
    }

    private func validateBatch() throws {
        if against != nil { throw ValidationError("--batch compares nothing; leave out --against.") }
        if credentials.secrets.isGiven || account.isGiven {
            throw ValidationError("--batch takes the secrets from each line; leave out the options for them.")
        }
        if method != nil || written.request != nil {
            throw ValidationError("--batch takes its requests from standard input; leave out METHOD and URL.")
        }
    }

    func run() async throws {
        ProcessHardening.apply()
        if batch { return try await ExplainBatch.run() }
        try await GivenData.reporting {
            var given = try await content.applied(to: written.request(method: method, url: url))
            let (signed, secretVariables) = try await request(&given)
            var request = signed
            let other = try await signer(against: given, &request)
            given.notes += AuthorizationFields(of: given).remarks(isSigned: other != nil)
            if let remark = given.bodyRemark { given.notes.append(remark) }
            if let other {
                return try ExplainAgainst(
                    request: request,
                    signer: other,
                    notes: given.notes,
                    secretVariables: secretVariables,
                    isJSON: json
                ).run()
            }
            request.nonce = request.nonce ?? ExplainedSignature.randomNonce()
            request.timestamp = request.timestamp ?? String(ExplainedSignature.now())
            given.notes += missingSecrets(request) + oddTimestamp(request)
            let report = ExplanationReport(
                request: request,
                explanation: try request.explain(),
                fields: given.fields,
                bodyFile: content.dataFile,
                notes: given.notes
            )
            if json { StandardOutput.print(json: report.json) } else { StandardOutput.print(report.text) }
        }
    }

    /// Returns a note for each secret that is taken for an empty one since it is not given.
    private func missingSecrets(_ request: ExplainableRequest) -> [String] {
        guard credentials.isGiven, !request.options.signatureMethod.isRSA else { return [] }
        var notes: [String] = []
        if request.credentials.consumerSecret == nil {
            notes.append("No consumer secret is given: signed with an empty one. --consumer-secret-env NAME takes it.")
        }
        if request.credentials.token?.isEmpty == false, request.credentials.tokenSecret == nil {
            notes.append("No secret of the token is given: signed with an empty one. --token-secret-env NAME takes it.")
        }
        return notes
    }

    private func oddTimestamp(_ request: ExplainableRequest) -> [String] {
        guard let timestamp = request.timestamp else { return [] }
        if timestamp.isEmpty || !timestamp.utf8.allSatisfy(\.isDigit) {
            return ["The timestamp is no number: it is the seconds since 1970-01-01T00:00:00Z."]
        }
        return timestamp.utf8.count > 11 ? ["The timestamp looks like milliseconds: it is in seconds."] : []
    }

    /// Returns the other signer that the request is compared with: the one of the option, or whoever signed the request
    /// as it was written down. That request then keeps what is none of the protocol's.
    private func signer(
        against given: GivenRequest,
        _ request: inout ExplainableRequest
    ) async throws -> ComparedSigner? {
        if let against { return try ExplainAgainst.signer(try await GivenFile.textOrInput(against)) }
        guard given.format != nil else { return nil }
        // A request without a signature keeps all that it has.
        var bare = request
        do throws(ComparisonError) {
            let field = AuthorizationFields(of: given).signing.map { Array($0.utf8) }
            let sent = try SentSignature.take(from: &bare, authorization: field)
            request = bare
            return .sent(sent)
        } catch {
            // As a pattern of the catch it crashes Swift 6.3.1's compiler.
            if error == .signatureAbsent { return nil }
            throw error
        }
    }

    /// - Returns: With the request, the variables that its secrets may be in.
    /// - Throws: The errors that ``GivenData/reporting(_:)`` tells of.
    private func request(_ given: inout GivenRequest) async throws -> (ExplainableRequest, secretVariables: [String]) {
        var request = ExplainableRequest(
            method: given.method,
            url: try given.url,
            host: given.fieldValue("Host"),
            contentType: given.fieldValue("Content-Type"),
            body: given.body,
            nonce: signature.nonce,
            timestamp: signature.timestamp,
            extra: signature.parameter
        )
        let isOwn = credentials.isGiven
        var secretVariables = credentials.secrets.variables
        if let signing = isOwn ? nil : try await account.signingAccount(else: given.account) {
            request.sign(as: signing)
            secretVariables = signing.secretVariables
            if given.hasAssumedScheme, content.scheme == nil, request.url.hasPrefix("https:") {
                request.url = signing.upstreamScheme.rawValue + request.url.dropFirst("https".count)
                if signing.upstreamScheme != .https {
                    given.notes.append("The scheme is http, by upstream of the account's API: --scheme https if not.")
                }
            }
            if let remark = signing.remark(on: request.url) { given.notes.append(remark) }
        } else {
            guard let key = credentials.consumerKey else { throw MissingCredential.consumer }
            let secrets = try await credentials.secrets.read()
            request.credentials = ExplainableCredentials(
                consumerKey: key,
                consumerSecret: secrets.consumer,
                token: credentials.token,
                tokenSecret: secrets.token,
                privateKey: try await credentials.privateKey()
            )
        }
        request.options = signature.applied(to: request.options)
        return (request, secretVariables)
    }
}

extension ExplainableRequest {
    /// Takes the secrets of an account, and the way in which it signs.
    mutating func sign(as account: SigningAccount) {
        let client = account.oauth1.client
        credentials = ExplainableCredentials(
            consumerKey: client.identifier,
            consumerSecret: client.sharedSecret,
            token: account.sentToken,
            tokenSecret: account.token?.secret,
            signingKey: client.privateKey
        )
        options = account.oauth1.options
    }
}
