import Bytes
import OAuthSigning

/// The text of the other side's `oauth_signature` once the ways of writing it wrong are undone.
struct SignatureText: Sendable {
    /// The Base64 that the text should have been, for an HMAC or RSA method; for PLAINTEXT the key.
    let canonical: [UInt8]
    /// The bytes of an HMAC or RSA method's signature, when it is Base64 at all.
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

extension SignatureText {
    /// The shapes that digests are sent in.
    enum Form: CaseIterable {
        case hexadecimal
        case base64OfHexadecimal
        case base64
        case base64WithLineEnds
        case base64URL

        /// The bytes of the signature, nil when it has not this shape.
        func read(_ text: [UInt8]) -> [UInt8]? {
            switch self {
            case .hexadecimal: Self.hexadecimal(text)
            case .base64OfHexadecimal: Self.base64(text).flatMap(Self.hexadecimal)
            case .base64: Self.base64(text)
            case .base64WithLineEnds: Self.base64(text.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
            case .base64URL: Self.base64URL(text)
            }
        }

        /// A sentence on what is wrong with it, nil for the right one.
        var sentence: String? {
            switch self {
            case .hexadecimal: "The other side sent its signature in hexadecimal digits; it must be Base64."
            case .base64OfHexadecimal:
                "The other side encoded the hexadecimal digits of its signature in Base64; it must encode the bytes."
            case .base64: nil
            case .base64WithLineEnds:
                "The other side left a line end in the Base64 of its signature; strip what the encoder adds."
            case .base64URL:
                "The other side sent its signature in the URL-safe or unpadded Base64; it must be the plain one."
            }
        }

        /// Accepts only the length that a hash has, so that Base64 is never taken for it.
        private static func hexadecimal(_ text: [UInt8]) -> [UInt8]? {
            [40, 64, 128].contains(text.count) ? Hexadecimal.decode(text) : nil
        }

        private static func base64(_ text: [UInt8]) -> [UInt8]? {
            Base64.decode(text.span, allowsSpareBits: true)
        }

        private static func base64URL(_ text: [UInt8]) -> [UInt8]? {
            var plain = text.map { byte in
                switch byte {
                case UInt8(ascii: "-"): UInt8(ascii: "+")
                case UInt8(ascii: "_"): UInt8(ascii: "/")
                default: byte
                }
            }
            plain.append(contentsOf: repeatElement(UInt8(ascii: "="), count: (4 - plain.count % 4) % 4))
            return base64(plain)
        }
    }
}
