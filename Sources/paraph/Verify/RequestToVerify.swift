import Bytes
import OAuthSigning
import SignatureComparison

/// A request as `paraph verify` was given it, and what is known of whoever signed it.
struct RequestToVerify {
    /// The request, with the secrets.
    let request: ExplainableRequest
    /// The value of the Authorization field, nil when there is none.
    let authorization: [UInt8]?
    /// The only ones that are accepted; nil is any, or none. An empty token accepts only requests without a token.
    let consumerKey: String?
    let token: String?
    let publicKey: RSAVerificationKey?
    /// The addresses that the signer may have signed for in place of the request's scheme and host.
    var otherAddresses: [SignerAddress] = []
    /// Variables that the secrets may be in.
    var secretVariables: [String] = []

    enum Outcome {
        case verified(VerifiedRequest, body: BodyCover)
        /// The request is refused; with what the other side did differently, where that can be looked for.
        case refused(VerificationFailure, SignatureComparison?)
        /// The request is refused; its signature is right for another address than the one it was received for. With
        /// what else is odd in what was sent.
        case signedElsewhere(VerificationFailure, SignerAddress, received: String, [ComparisonFinding])
        /// An Authorization field of the scheme OAuth that cannot be read.
        case unreadable(ComparisonError)

        /// Indicates whether there was a signature, whatever it was.
        var isSigned: Bool {
            if case .refused(.notSigned, _) = self { false } else { true }
        }
    }

    /// The way in which the signature covers the body.
    enum BodyCover: String {
        case absent
        case hash
        case form
        case uncovered
    }

    /// - Parameter now: Seconds since 1970.
    /// - Throws: ``MissingCredential``, ``ExplainError`` for a URL that is not whole, ``ComparisonError``.
    func verify(now: UInt64) throws -> Outcome {
        let uri = try uri()
        var bare = request
        let sent: SentSignature?
        do throws(ComparisonError) {
            sent = try SentSignature.take(from: &bare, authorization: authorization)
        } catch {
            if case .fieldMalformed = error { return .unreadable(error) }
            sent = nil
        }
        if let sent { try checkCredentials(for: sent) }
        let authority = request.host.map { Array($0.utf8) } ?? uri.parts.authority
        switch result(uri.parts, scheme: uri.scheme, authority: authority) {
        case .success(let verified):
            if let refusal = refusal(of: verified) { return .refused(refusal, nil) }
            return .verified(verified, body: bodyCover(verified))
        case .failure(let failure):
            guard let sent, failure.isComparable else { return .refused(failure, nil) }
            if case .signatureInvalid = failure,
                let address = otherAddresses.first(where: { isRight(uri.parts, for: $0) })
            {
                let received = "\(uri.scheme.rawValue)://\(String(decoding: authority, as: UTF8.self))"
                bare.url = address.origin + String(decoding: uri.parts.target, as: UTF8.self)
                bare.host = nil
                let remarks = try comparison(of: bare, with: sent, now: now).findings
                return .signedElsewhere(failure, address, received: received, remarks)
            }
            return .refused(failure, try comparison(of: bare, with: sent, now: now))
        }
    }

    private func comparison(
        of bare: ExplainableRequest,
        with sent: SentSignature,
        now: UInt64
    ) throws(ComparisonError) -> SignatureComparison {
        try SignatureComparison(
            of: bare,
            with: .sent(sent),
            comparesParameters: false,
            publicKey: publicKey,
            characterSets: SystemCharacterSet.compared,
            secretNames: secretVariables,
            now: now
        )
    }

    private func uri() throws(ExplainError) -> (parts: AbsoluteURI, scheme: URIScheme) {
        if request.method.isEmpty { throw .methodMissing }
        guard let parts = AbsoluteURI(Array(request.url.utf8).span),
            let scheme = URIScheme(name: parts.scheme.span)
        else { throw .noAbsoluteURL }
        return (parts, scheme)
    }

    private func checkCredentials(for sent: SentSignature) throws(MissingCredential) {
        guard let method = sent.signatureMethod else { return }
        if method.isRSA {
            if publicKey == nil, let other = sent.methodByLength { throw .otherMethod(method, other) }
            if publicKey == nil { throw .publicKey(method) }
            return
        }
        if request.credentials.consumerSecret == nil { throw .consumerSecret }
        // One that is refused anyway is not asked for.
        if let sent = sent.token, request.credentials.tokenSecret == nil, isAccepted(sent, token) {
            throw .tokenSecret(token: sent)
        }
    }

    /// Returns why the token is refused. No token has no secret to ask for: a request without one is not refused for
    /// it.
    private func refusal(of verified: VerifiedRequest) -> VerificationFailure? {
        if isAccepted(verified.token ?? "", token) { return nil }
        return verified["oauth_token"] == nil ? .parameterAbsent(name: "oauth_token") : .tokenRejected
    }

    private func isRight(_ uri: AbsoluteURI, for address: SignerAddress) -> Bool {
        switch result(uri, scheme: address.scheme, authority: Array(address.host.utf8)) {
        case .success: true
        case .failure: false
        }
    }

    private func result(
        _ uri: AbsoluteURI,
        scheme: URIScheme,
        authority: [UInt8]
    ) -> Result<VerifiedRequest, VerificationFailure> {
        let contentType = request.contentType.map { Array($0.utf8) }
        let credentials = request.credentials
        return SignatureVerification.verify(
            method: Array(request.method.utf8).span,
            scheme: scheme,
            authority: authority.span,
            target: uri.target.span,
            contentType: contentType?.span,
            body: request.body?.span,
            authorization: authorization?.span,
            clientSecret: { key in isAccepted(key, consumerKey) ? credentials.consumerSecret ?? Secret("") : nil },
            tokenSecret: { key in isAccepted(key, token) ? credentials.tokenSecret ?? Secret("") : nil },
            clientKey: { _ in publicKey }
        )
    }

    private func isAccepted(_ name: String, _ only: String?) -> Bool {
        only == nil || name == only
    }

    private func bodyCover(_ verified: VerifiedRequest) -> BodyCover {
        if verified.signatureMethod == .plaintext { return .uncovered }
        if verified[BodyHash.parameterName] != nil { return .hash }
        if request.body?.isEmpty ?? true { return .absent }
        let isForm = request.contentType.map { isFormMediaType(Array($0.utf8).span) } ?? false
        return isForm ? .form : .uncovered
    }
}

extension VerificationFailure {
    /// Indicates whether a comparison can tell more.
    fileprivate var isComparable: Bool {
        switch self {
        case .signatureInvalid, .bodyHashInvalid, .parameterRejected: true
        case .notSigned, .parameterAbsent, .parameterRepeated, .versionRejected,
            .signatureMethodRejected, .consumerKeyUnknown, .tokenRejected:
            false
        }
    }
}
