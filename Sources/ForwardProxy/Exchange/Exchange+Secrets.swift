import Credentials
import HTTP1Codec
import Inspection
import NIOCore
import OAuthSigning

extension Exchange {
    /// Bytes of a body that are looked through for secrets.
    private static let mostBodyBytes = 64 * 1024

    /// The body as far as it has come; nil where it is not kept.
    private var keptBody: ByteBuffer? {
        requestIsAtHand ? held.body.collected ?? held.body.replay ?? ByteBuffer() : nil
    }

    /// Returns what may be a secret in the client's request, by its place or its name, and the token that it was signed
    /// for. For whoever shows what a server says of the request: takes a while.
    func requestSecrets() -> RequestSecrets {
        var found = SecretValues()
        let hidden = tokenField?.lowercaseName
        for field in head.fields {
            let name = String(buffer: field.name)
            found.add(field: name, String(buffer: field.value), isSecret: hidden == name.lowercased())
        }
        found.add(target: String(buffer: head.target))
        let type = head.fields.string(of: .contentType) ?? ""
        if head.framing != .none, SecretValues.reads(mediaType: type) {
            if let body = keptBody, body.readableBytes <= Self.mostBodyBytes, !head.fields.contains(.contentEncoding) {
                found.add(body: String(buffer: body), mediaType: type)
            } else {
                found.missPart()
            }
        }
        var values = found.values.map { Secret($0) }
        // It is in a base string by right.
        if case .oauth1(let credentials)? = authorization.ready?.token { values.append(Secret(credentials.token)) }
        return RequestSecrets(
            values: values,
            words: found.words.map { Secret($0) },
            areAllKnown: found.isWhole
        )
    }

    /// Returns what takes the secrets of the request, and those that authorize it, out of what a server says.
    func scrubber() -> Scrubber? {
        let own = requestSecrets()
        guard own.areAllKnown else { return nil }
        let account = route.accountReference.map { context.apis[$0.api].secrets(of: $0) } ?? []
        return Scrubber(
            secrets: account + (authorization.ready?.secrets ?? []) + own.values,
            words: own.words
        )
    }
}
