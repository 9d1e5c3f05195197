import ArgumentParser
import Bytes
import Files
import OAuthSigning
import SignatureComparison
import SystemPackage

/// Shows how requests are signed.
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show how a request is signed: parameters, base string, key (masked), signature, header.",
        usage: """
            paraph explain METHOD URL --consumer-key KEY [options]
            paraph explain METHOD URL --consumer-key KEY [options] --against 'OAuth oauth_consumer_key="…", …'
            paraph explain --batch < requests.jsonl
            """,
        discussion: """
            No configuration file is read. Secrets are taken from the environment or from files, never from the command \
            line, where every user of the machine could read them. Without --nonce and --timestamp a random nonce and \
            the present time are used, so that the header can be sent.

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

    @Argument(help: "The request's URL, whole, byte for byte as it is sent.")
    var url: String?

    @OptionGroup(title: "The request")
    var content: ExplainedContent

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
        if batch, against != nil { throw ValidationError("--batch compares nothing; leave out --against.") }
        if batch, credentials.secrets.isGiven {
            throw ValidationError("--batch takes the secrets from each line; leave out the options for them.")
        }
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
        ProcessHardening.apply()
        guard let method, let url else { return try ExplainBatch.run() }
        try GivenData.reporting {
            let request = try request(method: method, url: url)
            if let against { return try ExplainAgainst(request: request, other: against, isJSON: json).run() }
            let explanation = try request.explain()
            let report = ExplanationReport(request: request, explanation: explanation, content: content)
            if json { StandardOutput.print(json: report.json) } else { StandardOutput.print(report.text) }
        }
    }

    private func request(method: String, url: String) throws -> ExplainableRequest {
        // Beside another signature its nonce and timestamp are used, unless others are asked for.
        let isAlone = against == nil
        let secrets = try credentials.secrets.read()
        return ExplainableRequest(
            method: method,
            url: url,
            host: content.host ?? content.fieldValue("Host"),
            contentType: content.mediaType,
            body: try content.body(),
            consumerKey: credentials.consumerKey,
            consumerSecret: secrets.consumer,
            token: credentials.token,
            tokenSecret: secrets.token,
            privateKey: try credentials.privateKey(),
            nonce: signature.nonce ?? (isAlone ? ExplainedSignature.randomNonce() : nil),
            timestamp: signature.timestamp ?? (isAlone ? String(ExplainedSignature.now()) : nil),
            extra: signature.parameter,
            options: signature.options
        )
    }
}

/// `paraph explain --against`: our signature beside another one.
struct ExplainAgainst {
    let request: ExplainableRequest
    /// A field, a base string, or `-` for standard input.
    let other: String
    let isJSON: Bool

    func run() throws {
        let signer = try ComparedSigner(Self.unfolded(try GivenFile.textOrInput(other)))
        let comparison = try SignatureComparison(of: request, with: signer, now: ExplainedSignature.now())
        let report = ComparisonReport(comparison: comparison)
        StandardOutput.print(
            isJSON
                ? report.json.line : ([ReportSection("\(request.method) \(request.url)")] + report.sections).text
        )
        if comparison.verdict != .same { throw ExitCode.failure }
    }

    /// Returns a text in one line, as it was before a mail or a terminal wrapped it: a field at its white space, a base
    /// string anywhere.
    static func unfolded(_ text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            line.drop(while: \.isWhitespace).reversed().drop { $0.isWhitespace || $0 == "\\" }.reversed()
        }
        guard lines.count > 1 else { return text }
        return lines.filter { !$0.isEmpty }.map { String($0) }.joined(separator: text.contains("=\"") ? " " : "")
    }
}

/// `paraph explain --batch`: a line in, a line out, for as long as standard input lasts.
enum ExplainBatch {
    static func run() throws {
        var lines = BatchLines()
        do throws(Errno) {
            while let bytes = try FileDescriptor.standardInput.readPiece() {
                for line in lines.append(bytes) { try answer(line) }
            }
            if let line = lines.last { try answer(line) }
        } catch {
            StandardError.print("paraph: standard input or output failed: \(error.reason).")
            throw ExitCode.unavailable
        }
    }

    private static func answer(_ line: [UInt8]) throws(Errno) {
        try FileDescriptor.standardOutput.write(all: Array((BatchAnswer.answer(to: line) + "\n").utf8))
    }
}

/// The lines of an input that comes in pieces, without their ends; those that are blank are left out.
struct BatchLines {
    private var pending: [UInt8] = []

    /// - Returns: The lines that end in what has come by now and were not returned before.
    mutating func append(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        pending += bytes
        var lines: [[UInt8]] = []
        var rest = pending[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if !Self.isBlank(rest[..<end]) { lines.append(Array(rest[..<end])) }
            rest = rest[(end + 1)...]
        }
        pending = Array(rest)
        return lines
    }

    /// The line that nothing ends but the input; nil when there is none.
    var last: [UInt8]? { Self.isBlank(pending[...]) ? nil : pending }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
    }
}
