import Bytes
import OAuthSigning

/// A request that an exchange wants sent.
///
/// `Host`, `Content-Length` and whatever else the transport owes are the transport's to add. `Host` is
/// ``destination``'s authority as it stands: it is what was signed. The fields and the body are sent as they are, and
/// redirects are not followed.
package struct ExchangeRequest: Sendable {
    package var method: String
    /// The whole URL, as configured.
    package var url: String
    /// The same, taken apart.
    package var destination: ExchangeURL
    package var fields: [(String, String)]
    package var body: [UInt8]
    /// The name of the request for a person, the same words as in ``ExchangeFailure/step``. Bounded: fit for a label.
    package var step: String
    /// Indicates whether it may be sent again when it is not known what came of it. Otherwise it has something that may
    /// be used once only, and is not sent before that is noted.
    package var isRepeatable = true
}

extension ExchangeRequest {
    /// A GET that carries no credentials. Nil when the URL is none that a request can be sent to.
    package init?(getting url: String, step: String) {
        guard let destination = ExchangeURL(url) else { return nil }
        self.init(method: "GET", url: url, destination: destination, fields: [], body: [], step: step)
    }

    /// A POST that carries no credentials.
    package init(posting body: [UInt8], contentType: String, to destination: ExchangeURL, step: String) {
        self.init(
            method: "POST",
            url: "\(destination.scheme)://\(destination.authority)\(destination.target)",
            destination: destination,
            fields: [("Content-Type", contentType)],
            body: body,
            step: step
        )
    }
}

/// The provider's whole answer to an ``ExchangeRequest``: the final response (no 1xx), its body collected. A body of
/// more than 64 KiB is refused whatever it holds: the transport need not collect more than one byte beyond that.
package struct ExchangeResponse: Sendable {
    package var status: Int
    package var fields: [(String, String)]
    package var body: [UInt8]

    package init(status: Int, fields: [(String, String)] = [], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

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
    /// - Parameter scrubber: The scrubber of the reason why it cannot be signed.
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

/// A form (`application/x-www-form-urlencoded`) that is being written.
struct FormBody {
    static let mediaType = "application/x-www-form-urlencoded"

    private(set) var bytes: [UInt8] = []

    mutating func append(_ name: String, _ value: String) {
        append(name, bytes: Array(value.utf8))
    }

    mutating func append(_ name: String, _ value: Secret) {
        append(name, bytes: value.withBytes { bytes in bytes.indices.map { bytes[$0] } })
    }

    mutating func append(_ name: String, bytes value: [UInt8]) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        bytes += PercentEncoding.encode(name.utf8)
        bytes.append(UInt8(ascii: "="))
        bytes += PercentEncoding.encode(value)
    }
}
