import Credentials
import HTTP1Codec
import Inspection
import NIOCore
import OAuthSigning

/// The secrets of a request, for whoever shows what a server says of it: those that authorize it, and what may be secret
/// in the client's own.
struct ExchangeSecrets {
    /// Bytes of a body that are looked through for secrets.
    private static let mostBodyBytes = 64 * 1024

    private let head: RequestHead
    private let body: ByteBuffer?
    private let tokenField: TokenField?
    private let ready: ReadyAuthorization?
    private let account: [Secret]

    /// - Parameters:
    ///   - head: The client's.
    ///   - body: The body as far as it has come; nil where it is not kept.
    ///   - tokenField: The field in which the API takes its tokens; nil: Authorization.
    ///   - ready: The authorization that the request was sent with; nil: none of this proxy's.
    ///   - account: The secrets of its account.
    init(
        head: RequestHead,
        body: ByteBuffer?,
        tokenField: TokenField?,
        ready: ReadyAuthorization?,
        account: [Secret]
    ) {
        self.head = head
        self.body = body
        self.tokenField = tokenField
        self.ready = ready
        self.account = account
    }

    /// The secrets that authorize the request.
    var authorizing: [Secret] { account + (ready?.secrets ?? []) }

    /// Returns what may be a secret in the client's request, by its place or its name, and the token that it was signed
    /// for. Takes a while.
    func ofRequest() -> RequestSecrets {
        var found = SecretValues()
        let hidden = tokenField?.lowercaseName
        for field in head.fields {
            let name = String(buffer: field.name)
            found.add(field: name, String(buffer: field.value), isSecret: hidden == name.lowercased())
        }
        found.add(target: String(buffer: head.target))
        let type = head.fields.string(of: .contentType) ?? ""
        if head.framing != .none, SecretValues.reads(mediaType: type) {
            if let body, body.readableBytes <= Self.mostBodyBytes, !head.fields.contains(.contentEncoding) {
                found.add(body: String(buffer: body), mediaType: type)
            } else {
                found.missPart()
            }
        }
        var values = found.values.map { Secret($0) }
        // It is in a base string by right.
        if case .oauth1(let credentials)? = ready?.token { values.append(Secret(credentials.token)) }
        return RequestSecrets(
            values: values,
            words: found.words.map { Secret($0) },
            areAllKnown: found.isWhole
        )
    }

    /// Returns what takes all of them out of what a server says; nil when not all are known.
    func scrubber() -> Scrubber? {
        let own = ofRequest()
        guard own.areAllKnown else { return nil }
        return Scrubber(secrets: authorizing + own.values, words: own.words)
    }
}
