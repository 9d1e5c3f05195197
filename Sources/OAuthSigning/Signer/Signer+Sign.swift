package import Bytes

extension Signer {
    /// Signs one request.
    ///
    /// - Parameters:
    ///   - method: As on the request line.
    ///   - scheme: The scheme that it is sent with.
    ///   - authority: The value of the Host field; the scheme's own port is dropped, the host's case folded.
    ///   - target: Origin-form, the bytes that are sent; empty, or without a path, stands for the path `/`.
    ///   - contentType: The value of the Content-Type field, nil when there is none.
    ///   - body: All bytes of the body, nil when there is none or ``needsBody(contentType:hasBody:)`` said no.
    ///   - nonce: Unique for the timestamp (RFC 5849, section 3.3).
    ///   - timestamp: Seconds since 1970.
    ///   - additionalParameters: Further protocol parameters of this request, sent where the others are.
    ///   - scratch: What the signature before it left, of whatever account.
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
        let signature = try key.signature(of: base.bytes)
        scratch.giveBack(consume base)
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
