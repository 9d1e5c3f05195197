import OAuthSigning

/// The values that one request of an exchange is signed with.
struct ExchangeSigning {
    var client: ClientCredentials
    var token: TokenCredentials?
    var options = SigningOptions()
    /// Further protocol parameters, decoded.
    var parameters: [ProtocolParameter] = []
    var nonce: String
    var timestamp: UInt64
}

extension ExchangeRequest {
    /// A POST with a form, signed.
    ///
    /// - Parameter scrubber: For the reason why it cannot be signed.
    /// - Throws: A failure of the settings.
    static func signed(
        _ step: ExchangeStep,
        url: String,
        form: FormBody = FormBody(),
        _ signing: ExchangeSigning,
        scrubber: Scrubber
    ) throws(ExchangeFailure) -> ExchangeRequest {
        guard let destination = ExchangeURL(url) else { throw ExchangeFailure(step, .settings) }
        let isForm = !form.bytes.isEmpty || signing.options.placement == .body
        let signed: SignedRequest
        do throws(SigningError) {
            let signer = try Signer(client: signing.client, token: signing.token, options: signing.options)
            let mediaType = Array(FormBody.mediaType.utf8)
            // One of its own: what is signed may hold a password, and is not to be kept.
            var scratch = SigningScratch()
            signed = try signer.sign(
                method: Array("POST".utf8).span,
                scheme: destination.scheme,
                authority: Array(destination.authority.utf8).span,
                target: Array(destination.target.utf8).span,
                contentType: isForm ? mediaType.span : nil,
                body: form.bytes.span,
                nonce: Array(signing.nonce.utf8).span,
                timestamp: signing.timestamp,
                additionalParameters: signing.parameters,
                scratch: &scratch
            )
        } catch {
            throw ExchangeFailure(step, .settings, words: scrubber.words(of: Array(error.description.utf8)))
        }
        var fields = [("Accept", "*/*")]
        if let authorization = signed.authorization {
            fields.append(("Authorization", String(decoding: authorization, as: UTF8.self)))
        }
        if isForm { fields.append(("Content-Type", FormBody.mediaType)) }
        return ExchangeRequest(
            method: "POST",
            url: url,
            destination: signed.target.map(destination.withTarget) ?? destination,
            fields: fields,
            body: signed.body ?? form.bytes,
            step: step.rawValue
        )
    }
}
