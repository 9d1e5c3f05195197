/// A request as a person describes it, with all that is needed to sign it: what `paraph explain` is asked.
package struct ExplainableRequest: Sendable {
    package var method: String
    /// The absolute URL, as it is typed; see ``AbsoluteURI``.
    package var url: String
    /// The Host field, where it differs from the URL's authority.
    package var host: String?
    package var contentType: String?
    package var body: [UInt8]?
    package var credentials: ExplainableCredentials
    /// The nonce; nil: none is sent.
    package var nonce: String?
    /// The timestamp: any text, because other signers send any; not sent when it is nil.
    package var timestamp: String?
    package var extra: [ProtocolParameter]
    package var options: SigningOptions

    package init(
        method: String,
        url: String,
        host: String? = nil,
        contentType: String? = nil,
        body: [UInt8]? = nil,
        credentials: ExplainableCredentials = ExplainableCredentials(),
        nonce: String? = nil,
        timestamp: String? = nil,
        extra: [ProtocolParameter] = [],
        options: SigningOptions = SigningOptions()
    ) {
        self.method = method
        self.url = url
        self.host = host
        self.contentType = contentType
        self.body = body
        self.credentials = credentials
        self.nonce = nonce
        self.timestamp = timestamp
        self.extra = extra
        self.options = options
    }

    /// Signs the request and tells how.
    package func explain() throws(ExplainError) -> SigningExplanation {
        if method.isEmpty { throw .methodMissing }
        guard let uri = AbsoluteURI(Array(url.utf8).span) else { throw .noAbsoluteURL }
        let authority = host.map { Array($0.utf8) } ?? uri.authority
        let contentType = contentType.map { Array($0.utf8) }
        do throws(SigningError) {
            return try credentials.signer(sentOptions).explain(
                method: Array(method.utf8).span,
                schemeName: uri.scheme.span,
                authority: authority.span,
                target: uri.target.span,
                contentType: contentType?.span,
                body: body?.span,
                nonce: Array((nonce ?? "").utf8).span,
                timestampText: Array((timestamp ?? "").utf8).span,
                additionalParameters: extra
            )
        } catch {
            throw .unsignable(error)
        }
    }

    /// The protocol parameters that are sent, `oauth_signature` apart.
    package var protocolParameters: [ProtocolParameter] {
        let options = sentOptions
        var parameters = Signer.constants(
            consumerKey: credentials.consumerKey ?? "",
            token: credentials.token,
            options: options
        )
        if let nonce { parameters.append(ProtocolParameter(name: "oauth_nonce", value: nonce)) }
        if let timestamp { parameters.append(ProtocolParameter(name: "oauth_timestamp", value: timestamp)) }
        let contentType = contentType.map { Array($0.utf8) }
        if let hash = options.bodyHash(contentType: contentType?.span, body: body?.span) {
            parameters.append(ProtocolParameter(name: BodyHash.parameterName, value: hash))
        }
        return parameters + extra
    }

    /// The options, without what is not given.
    private var sentOptions: SigningOptions {
        var options = options
        if credentials.consumerKey == nil { options.omitted.formUnion([.consumerKey, .signatureMethod]) }
        if credentials.token == nil { options.omitted.insert(.token) }
        if nonce == nil { options.omitted.insert(.nonce) }
        if timestamp == nil { options.omitted.insert(.timestamp) }
        // A version that is given in so many words takes the place of the usual one.
        if extra.contains(where: { $0.name == "oauth_version" }) { options.includesVersion = false }
        return options
    }
}

extension ExplainableRequest {
    /// Reads one line of `paraph explain --batch`: a JSON object.
    package init(line: [UInt8]) throws(ExplainError) {
        try self.init(BatchLine(line))
    }

    private init(_ line: BatchLine) throws(ExplainError) {
        let credentials = line.credentials
        let isUnsignable = credentials.consumerSecret?.isEmpty ?? true && credentials.privateKey == nil
        if credentials.consumerKey == nil, isUnsignable { throw .nothingToSignWith }
        self.init(
            method: line.method,
            url: line.url,
            host: line.host,
            contentType: line.contentType,
            body: try line.bytes,
            credentials: credentials,
            nonce: line.nonce,
            timestamp: line.timestamp,
            extra: line.extra.sorted { $0.key < $1.key }.map(ProtocolParameter.init),
            options: SigningOptions(
                signatureMethod: try line.signature(),
                realm: line.realm,
                includesVersion: line.includeVersion ?? (credentials.consumerKey != nil)
            )
        )
        // The extension forbids the hash of a form, and asks for that of an empty body.
        let isForm = contentType.map { isFormMediaType(Array($0.utf8).span) } ?? false
        if line.bodyHash ?? false, !isForm { options.bodyHash = .always }
    }
}

/// The reason why `paraph explain` cannot explain a request.
package enum ExplainError: Error, Equatable, Sendable {
    case methodMissing
    case noAbsoluteURL
    case unsignable(SigningError)
    /// Neither a consumer key nor a secret nor a private key.
    case nothingToSignWith
    /// `body` and `body_base64`.
    case twoBodies
    /// A line that is no JSON object.
    case notJSON
    /// A key without which no request is described.
    case keyMissing(String)
    /// A key that means nothing, and the one that it was probably meant to be.
    case keyUnknown(String, meant: String?)
    /// A key that occurs more than once.
    case keyRepeated(String)
    /// A key whose value is of another type.
    case valueOfOtherType(key: String, expected: String)
}

extension ExplainError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .methodMissing: "The method is empty; give one, such as GET."
        case .noAbsoluteURL: "The URL has no scheme or no host; give it whole, such as https://api.example.com/path."
        case .unsignable(let error): error.description
        case .nothingToSignWith: "There is nothing to sign with; give consumer_key and consumer_secret, or private_key."
        case .twoBodies: "The body is given twice; give either body or body_base64."
        case .notJSON: "The line is not a JSON object."
        case .keyMissing(let key): "The key \(key) is missing."
        case .keyUnknown(let key, let meant?): "The key \(key) is not known; did you mean \(meant)?"
        case .keyUnknown(let key, nil):
            "The key \(key) is not known; the keys are \(BatchLine.Key.allCases.map(\.rawValue).joined(separator: ", "))."
        case .keyRepeated(let key): "The key \(key) is given twice; give it once."
        case .valueOfOtherType(let key, let expected): "The value of \(key) must be \(expected)."
        }
    }
}
