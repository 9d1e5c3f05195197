package import Bytes

/// Signs requests for one account (RFC 5849, sections 3.4 and 3.5).
///
/// Prepared once: the key is hashed, what never changes of the parameters is encoded. A request then costs one pass
/// over its target and its form. Nothing is decoded into text on the way, so that any bytes a client sends are signed
/// as they are.
package final class Signer: Sendable {
    static let tokenName = "oauth_token"

    private let client: PreparedClient
    let key: SigningKey
    /// The value of `oauth_token`, not encoded; nil when the parameter is not sent.
    private let token: [UInt8]?
    private let tokenSecret: Secret?
    /// The template of ``sent``: at hand here, it is not copied for each request.
    private let template: SentTemplate

    package var options: SigningOptions { client.options }

    /// - Throws: When an RSA method has no key.
    package init(client: PreparedClient, token credentials: TokenCredentials?) throws(SigningError) {
        self.client = client
        tokenSecret = credentials?.secret
        key = try SigningKey(
            method: client.options.signatureMethod,
            clientSecret: client.credentials.sharedSecret,
            tokenSecret: tokenSecret,
            privateKey: client.credentials.privateKey
        )
        token = Self.sentToken(credentials?.token, client.options).map { Array($0.utf8) }
        template = client.sent(hasToken: token != nil).template
    }

    /// - Throws: When the options contradict each other, or an RSA method has no key.
    package convenience init(
        client: ClientCredentials,
        token: TokenCredentials?,
        options: SigningOptions
    ) throws(SigningError) {
        try self.init(client: PreparedClient(client, options: options), token: token)
    }

    /// The parameters that are sent with every request.
    var sent: SentParameters { client.sent(hasToken: token != nil) }

    var maskedKey: String {
        options.signatureMethod.isRSA
            ? client.credentials.privateKey.map(String.init(describing:)) ?? ""
            : MaskedKey.text(clientSecret: client.credentials.sharedSecret, tokenSecret: tokenSecret)
    }

    /// The protocol parameters that every request of an account carries alike.
    static func constants(
        consumerKey: String,
        token: String?,
        options: SigningOptions
    ) -> [ProtocolParameter] {
        let constants = PreparedClient.constants(consumerKey: consumerKey, options: options)
        guard let token = sentToken(token, options) else { return constants }
        return constants + [ProtocolParameter(name: tokenName, value: token)]
    }

    /// Returns the value of `oauth_token`; nil when the parameter is not sent.
    private static func sentToken(_ token: String?, _ options: SigningOptions) -> String? {
        guard let token else { return options.sendsEmptyToken ? "" : nil }
        return options.omitted.contains(.token) ? nil : token
    }

    func isForm(_ contentType: Span<UInt8>?) -> Bool {
        guard let contentType else { return false }
        return isFormMediaType(contentType)
    }
}

extension Signer {
    /// Puts the signed protocol parameters where they are sent (RFC 5849, section 3.5).
    func place(
        target: Span<UInt8>,
        contentType: Span<UInt8>?,
        body: Span<UInt8>?,
        nonce: Span<UInt8>,
        timestamp: Span<UInt8>,
        signature: Span<UInt8>,
        further: [EncodedParameter]
    ) throws(SigningError) -> SignedRequest {
        guard further.isEmpty else {
            let all = sent.parameters + further.map(SentParameter.init)
            let template = SentParameters(all, options, opening: client.headerOpening).template
            return try place(template, target, contentType, body, nonce, timestamp, signature)
        }
        return try place(template, target, contentType, body, nonce, timestamp, signature)
    }

    private func place(
        _ template: borrowing SentTemplate,
        _ target: Span<UInt8>,
        _ contentType: Span<UInt8>?,
        _ body: Span<UInt8>?,
        _ nonce: Span<UInt8>,
        _ timestamp: Span<UInt8>,
        _ signature: Span<UInt8>
    ) throws(SigningError) -> SignedRequest {
        let count = template.byteCount + 3 * ((token?.count ?? 0) + nonce.count + timestamp.count + signature.count)
        switch options.placement {
        case .header:
            var field = WordBuffer(capacity: count)
            template.write(to: &field, token: token, nonce: nonce, timestamp: timestamp, signature: signature)
            return SignedRequest(authorization: field.takeBytes())
        case .query:
            var extended = try extensible(target: target, by: count)
            template.write(to: &extended, token: token, nonce: nonce, timestamp: timestamp, signature: signature)
            return SignedRequest(target: extended.takeBytes())
        case .body:
            guard isForm(contentType) else { throw .formBodyRequired }
            var form = WordBuffer(capacity: (body?.count ?? 0) + count)
            if let body {
                form.append(body)
                form.separatePairs(after: 0)
            }
            template.write(to: &form, token: token, nonce: nonce, timestamp: timestamp, signature: signature)
            return SignedRequest(body: form.takeBytes())
        }
    }

    /// `target` as it is, ready for more parameters in its query.
    private func extensible(target: Span<UInt8>, by count: Int) throws(SigningError) -> WordBuffer {
        if target.count == 1, target[0] == UInt8(ascii: "*") { throw .targetTakesNoQuery }
        var extended = WordBuffer(capacity: target.count + count)
        let pathCount = target.pathCount
        if pathCount == 0 { extended.append(UInt8(ascii: "/")) }
        extended.append(target)
        if pathCount == target.count {
            extended.append(UInt8(ascii: "?"))
        } else {
            extended.separatePairs(after: extended.count - (target.count - pathCount - 1))
        }
        return extended
    }
}

extension WordBuffer {
    /// Appends `&` unless there is nothing after `start`, or a `&` at the end already.
    fileprivate mutating func separatePairs(after start: Int) {
        guard count > start, storage[count - 1] != UInt8(ascii: "&") else { return }
        append(UInt8(ascii: "&"))
    }
}

extension Signer {
    /// Signs one request.
    ///
    /// - Parameters:
    ///   - method: The method as on the request line.
    ///   - scheme: The scheme that it is sent with.
    ///   - authority: The value of the Host field; the scheme's own port is dropped, the host's case folded.
    ///   - target: Origin-form, the bytes that are sent; empty, or without a path, stands for the path `/`.
    ///   - contentType: The value of the Content-Type field, nil when there is none.
    ///   - body: All bytes of the body, nil when there is none or ``SigningOptions/needsBody(contentType:hasBody:)``
    ///     said no.
    ///   - nonce: Unique for the timestamp (RFC 5849, section 3.3).
    ///   - timestamp: Seconds since 1970.
    ///   - additionalParameters: The further protocol parameters of this request, sent where the others are.
    ///   - scratch: The room that the signature before it left, of whatever account.
    /// - Throws: ``SigningError/repeatedParameter(name:)`` when the query or the form already has one of the parameters
    ///   that are added, and what the placement demands.
    package func sign(
        method: Span<UInt8>,
        scheme: URIScheme,
        authority: Span<UInt8>,
        target: Span<UInt8>,
        contentType: Span<UInt8>?,
        body: Span<UInt8>?,
        nonce: Span<UInt8>,
        timestamp: UInt64,
        additionalParameters: [ProtocolParameter] = [],
        scratch: inout SigningScratch
    ) throws(SigningError) -> SignedRequest {
        let number = DecimalDigits(timestamp)
        let timestamp = number.digits.span.extracting(number.start...)
        let further = try further(additionalParameters, contentType: contentType, body: body)
        let base = baseString(
            method: method,
            scheme: scheme.bytes.span,
            authority: authority,
            target: target,
            contentType: contentType,
            body: body,
            nonce: nonce,
            timestamp: timestamp,
            further: further,
            scratch: &scratch
        )
        if let name = repeated(in: base, further: further).first { throw .repeatedParameter(name: name) }
        var signature = scratch.takeSignature()
        try key.sign(base.bytes, into: &signature)
        scratch.giveBack(consume base)
        defer { if options.signatureMethod != .plaintext { scratch.giveBack(signature) } }
        return try place(
            target: target,
            contentType: contentType,
            body: body,
            nonce: nonce,
            timestamp: timestamp,
            signature: signature.span,
            further: further
        )
    }

    /// The further protocol parameters of one request, with the body's hash when one is due.
    func further(
        _ parameters: [ProtocolParameter],
        contentType: Span<UInt8>?,
        body: Span<UInt8>?
    ) throws(SigningError) -> [EncodedParameter] {
        var parameters = parameters
        if let hash = options.bodyHash(contentType: contentType, body: body) {
            parameters.append(ProtocolParameter(name: BodyHash.parameterName, value: hash))
        }
        if parameters.isEmpty { return [] }
        var names = Set(sent.parameters.map(\.name))
        for parameter in parameters {
            if ["", "realm", "oauth_signature"].contains(parameter.name) {
                throw .parameterNotSendable(name: parameter.name)
            }
            guard names.insert(Array(parameter.name.utf8)).inserted else {
                throw .repeatedParameter(name: parameter.name)
            }
        }
        return parameters.map(EncodedParameter.init)
    }

    /// The names of parameters that the query or the form has and that are added here too.
    func repeated(in base: BaseString, further: [EncodedParameter]) -> [String] {
        if base.received.isEmpty { return [] }
        // As in the base string: encoded once more.
        let added = sent.parameters.map(\.name) + further.map { PercentEncoding.encode($0.name) }
        return base.received.filter(added.contains).map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Parameter scheme: Any case, any scheme.
    func baseString(
        method: Span<UInt8>,
        scheme: Span<UInt8>,
        authority: Span<UInt8>,
        target: Span<UInt8>,
        contentType: Span<UInt8>?,
        body: Span<UInt8>?,
        nonce: Span<UInt8>,
        timestamp: Span<UInt8>,
        further: [EncodedParameter],
        scratch: inout SigningScratch
    ) -> BaseString {
        let pathCount = target.pathCount
        let form = isForm(contentType) && options.bodyHash != .always ? body : nil
        var list = scratch.takeList(
            capacity: baseStringCapacity(queryCount: target.count - pathCount, pathCount: pathCount + authority.count)
        )
        list.append(contentsOf: client.constants)
        if let token { list.append(plainName: Self.tokenNameBytes, value: token.span) }
        if !options.omitted.contains(.nonce) {
            list.append(plainName: Self.nonceName, value: nonce)
        }
        if !options.omitted.contains(.timestamp) {
            list.append(plainName: Self.timestampName, value: timestamp)
        }
        for parameter in further { list.append(parameter) }
        if pathCount < target.count {
            list.append(form: target.extracting((pathCount + 1)...), origin: .query)
        }
        if let form { list.append(form: form, origin: .form) }
        return BaseString(method: method, scheme: scheme, authority: authority, target: target, list: consume list)
    }

    private static let tokenNameBytes = Array(tokenName.utf8)
    private static let nonceName = Array("oauth_nonce".utf8)
    private static let timestampName = Array("oauth_timestamp".utf8)

    private func baseStringCapacity(queryCount: Int, pathCount: Int) -> Int {
        // Encoded twice, and repeated behind it; what is rarely long gets a guess.
        2 * (client.constants.byteCount + 2 * (token?.count ?? 0) + 5 * queryCount) + 3 * pathCount + 384
    }
}

/// A number in decimal digits, without a trip through the heap: `digits` from `start` on.
struct DecimalDigits: Sendable {
    private(set) var digits = InlineArray<20, UInt8>(repeating: 0)
    private(set) var start = 20

    init(_ number: UInt64) {
        var rest = number
        repeat {
            start -= 1
            digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
    }
}
