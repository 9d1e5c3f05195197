/// A request as a person describes it, with all that is needed to sign it: what `paraph explain` is asked.
package struct ExplainableRequest: Sendable {
    package var method: String
    /// The absolute URL, as it is typed; see ``AbsoluteURI``.
    package var url: String
    /// The Host field, where it differs from the URL's authority.
    package var host: String?
    package var contentType: String?
    package var body: [UInt8]?
    /// The consumer key. Without one, only what is given here is sent, and the signature.
    package var consumerKey: String?
    package var consumerSecret: Secret?
    /// The token: nil is none; empty is sent empty.
    package var token: String?
    package var tokenSecret: Secret?
    /// The private key in PEM, for the RSA methods.
    package var privateKey: Secret?
    /// The same, read already; used where ``privateKey`` is nil.
    package var signingKey: RSASigningKey?
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
        consumerKey: String? = nil,
        consumerSecret: Secret? = nil,
        token: String? = nil,
        tokenSecret: Secret? = nil,
        privateKey: Secret? = nil,
        signingKey: RSASigningKey? = nil,
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
        self.consumerKey = consumerKey
        self.consumerSecret = consumerSecret
        self.token = token
        self.tokenSecret = tokenSecret
        self.privateKey = privateKey
        self.signingKey = signingKey
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
            return try signer().explain(
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
        var parameters = Signer.constants(consumerKey: consumerKey ?? "", token: token, options: options)
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
        if consumerKey == nil { options.omitted.formUnion([.consumerKey, .signatureMethod]) }
        if token == nil { options.omitted.insert(.token) }
        if nonce == nil { options.omitted.insert(.nonce) }
        if timestamp == nil { options.omitted.insert(.timestamp) }
        // A version that is given in so many words takes the place of the usual one.
        if extra.contains(where: { $0.name == "oauth_version" }) { options.includesVersion = false }
        return options
    }

    private func signer() throws(SigningError) -> Signer {
        let options = sentOptions
        var client = ClientCredentials(identifier: consumerKey ?? "", sharedSecret: consumerSecret ?? Secret(""))
        if options.signatureMethod.isRSA {
            client.privateKey =
                try privateKey.map { key throws(SigningError) in try RSASigningKey(pem: key) } ?? signingKey
        }
        // The token's secret is part of the key even when the token itself is not sent.
        let token = TokenCredentials(token: token ?? "", secret: tokenSecret ?? Secret(""))
        return try Signer(client: client, token: token, options: options)
    }
}

extension ExplainableRequest {
    /// Reads one line of `paraph explain --batch`: a JSON object.
    package init(line: [UInt8]) throws(ExplainError) {
        try self.init(BatchLine(line))
    }

    private init(_ line: BatchLine) throws(ExplainError) {
        let isUnsignable = (line.consumerSecret ?? "").isEmpty && line.privateKey == nil
        if line.consumerKey == nil, isUnsignable { throw .nothingToSignWith }
        self.init(
            method: line.method,
            url: line.url,
            host: line.host,
            contentType: line.contentType,
            body: try line.bytes,
            consumerKey: line.consumerKey,
            consumerSecret: line.consumerSecret.map(Secret.init),
            token: line.token,
            tokenSecret: line.tokenSecret.map(Secret.init),
            privateKey: line.privateKey.map(Secret.init),
            nonce: line.nonce,
            timestamp: line.timestamp,
            extra: line.extra.sorted { $0.key < $1.key }.map(ProtocolParameter.init),
            options: SigningOptions(
                signatureMethod: try line.signature(),
                realm: line.realm,
                includesVersion: line.includeVersion ?? (line.consumerKey != nil)
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
