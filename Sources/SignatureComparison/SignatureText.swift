import Bytes
import OAuthSigning

/// The text of the other side's `oauth_signature` once the ways of writing it wrong are undone.
struct SignatureText: Sendable {
    /// Of an HMAC or RSA method the Base64 that it should have been; of PLAINTEXT the key.
    let canonical: [UInt8]
    /// Of an HMAC or RSA method, when it is Base64 at all.
    let bytes: [UInt8]?
    let findings: [ComparisonFinding]

    init(_ sent: SentSignature, method: SignatureMethod) {
        var text = sent.signature
        var findings: [ComparisonFinding] = []
        func note(_ cause: ComparisonCause, _ sentence: String) {
            findings.append(ComparisonFinding(cause: cause, certainty: .seen, sentence: sentence))
        }

        if sent.isSignatureUnescaped {
            note(
                .signatureNotEncoded,
                "The other side sent oauth_signature without percent-encoding it; + / and = in it must be %2B %2F and %3D."
            )
            // What a form made of its pluses.
            if method != .plaintext { text = text.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 } }
        }
        guard method != .plaintext else {
            canonical = text
            bytes = nil
            self.findings = findings
            return
        }
        if text.contains(UInt8(ascii: "%")) {
            text = PercentEncoding.decodeLeniently(text.span)
            note(.signatureEncodedTwice, "The other side percent-encoded oauth_signature twice.")
        }
        var bytes: [UInt8]?
        for form in Form.allCases {
            guard let read = form.read(text) else { continue }
            bytes = read
            if let sentence = form.sentence { note(.signatureFormat, sentence) }
            let plain = Base64.encode(read.span)
            if form == .base64, plain != text {
                let (sent, right) = (
                    String(decoding: text.suffix(5), as: UTF8.self), String(decoding: plain.suffix(5), as: UTF8.self)
                )
                note(
                    .signatureFormat,
                    "The other side's Base64 ends in \(sent) where an encoder writes \(right): the same bytes, but a "
                        + "provider that compares text refuses it."
                )
            }
            break
        }
        if bytes == nil { note(.signatureFormat, "The other side's oauth_signature is not Base64.") }
        self.bytes = bytes
        canonical = bytes.map { Base64.encode($0.span) } ?? text
        self.findings = findings
    }
}
