import Bytes
import OAuthSigning

/// The text of the other side's `oauth_signature` once the ways of writing it wrong are undone.
struct SignatureText: Sendable {
    /// The Base64 that the text should have been, for an HMAC or RSA method; for PLAINTEXT the key.
    let canonical: [UInt8]
    /// The bytes of an HMAC or RSA method's signature, when it is Base64 at all.
    let bytes: [UInt8]?
    /// The text, where it may be the key of PLAINTEXT in place of a signature.
    let key: Secret?
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
                "The other side sent oauth_signature without percent-encoding it; & + / and = in it must be %26 %2B %2F and "
                    + "%3D."
            )
            // What a form made of its pluses.
            if method != .plaintext { text = text.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 } }
        }
        if let words = Self.foreign(text, method) {
            note(.hash, "The other side's oauth_signature is no signature by \(method.rawValue): it is \(words).")
        }
        guard method != .plaintext else {
            canonical = text
            (bytes, key) = (nil, nil)
            self.findings = findings
            return
        }
        key = text.contains(UInt8(ascii: "&")) ? Secret(bytes: text) : nil
        if text.contains(UInt8(ascii: "%")), key == nil {
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
        if bytes == nil {
            note(.signatureFormat, "The other side's oauth_signature is not Base64: \(Self.reason(text)).")
        }
        self.bytes = bytes
        canonical = bytes.map { Base64.encode($0.span) } ?? text
        self.findings = findings
    }

    /// Returns what was sent in place of a signature, where it can be seen.
    private static func foreign(_ text: [UInt8], _ method: SignatureMethod) -> String? {
        if isBaseString(text) { return "the base string itself, not signed" }
        let bytes = Base64.decode(text.span, allowsSpareBits: true) ?? []
        if isBaseString(bytes) { return "the Base64 of the base string itself, not signed" }
        if text.starts(with: "eyJ".utf8), text.count(where: { $0 == UInt8(ascii: ".") }) == 2 {
            return "a JSON Web Token (JWT)"
        }
        if bytes.starts(with: "[object ".utf8) || bytes.starts(with: "[B@".utf8) || bytes.starts(with: "System.".utf8) {
            return "the Base64 of the text of an object (of bytes), not of the bytes"
        }
        let digests = [28: "HMAC-SHA1", 44: "HMAC-SHA256", 88: "HMAC-SHA512"]
        if method == .plaintext, let name = digests[text.count], text.last == UInt8(ascii: "=") {
            return "by its look an \(name), and PLAINTEXT sends the key itself"
        }
        if method == .plaintext, [40, 64, 128].contains(text.count), Hexadecimal.decode(text) != nil {
            return "by its look a hash or an HMAC in hexadecimal digits, and PLAINTEXT sends the key itself"
        }
        return nil
    }

    private static func isBaseString(_ text: [UInt8]) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "&"), maxSplits: 2)
        return parts.count == 3 && parts[0].allSatisfy(\.isUppercase) && parts[1].starts(with: "http".utf8)
            && parts[1].count > 10
    }

    /// Returns why a text is no Base64, without a part of it: it may be a secret.
    private static func reason(_ text: [UInt8]) -> String {
        if text.isEmpty { return "it is empty" }
        if text.contains(UInt8(ascii: "&")) { return "it has a &, as the key has, which PLAINTEXT sends" }
        if ["null", "undefined", "None", "nil", "(null)", "false", "[object Object]", "NaN"].contains(text.text) {
            return "it is a word for nothing"
        }
        if ["[object", "<", "[B@", "System.", "[I@", "Promise", "Future", "function"].contains(
            where: text.text.hasPrefix
        ) {
            return
                "it is the text of an object or an array of bytes, not its bytes (they were not awaited or not encoded)"
        }
        if let byte = text.first(where: { !Base64.isDigit($0) }) {
            return 0x21...0x7E ~= byte
                ? "it has the character \(String(decoding: [byte], as: UTF8.self))"
                : "it has a blank or a byte that is no digit"
        }
        let digits = text.filter { $0 != UInt8(ascii: "=") }
        return digits.count % 4 == 1
            ? "it has \(digits.count) digits, a number that no encoder writes (it was cut)" : "its padding (=) is wrong"
    }
}

extension SignatureText {
    /// The names before an = or a colon in a key as PLAINTEXT sends it: nobody has to guess them.
    var namesInKey: [String] {
        canonical.split(separator: UInt8(ascii: "&")).prefix(2).compactMap { part -> String? in
            let words = PercentEncoding.decodeLeniently(part.span).split { " =:".utf8.contains($0) }
            let name = words.first { !["export".bytes, "set".bytes].contains(Array($0)) } ?? []
            guard 1...64 ~= name.count, name.allSatisfy({ Self.isOfName($0) }) else { return nil }
            return String(decoding: name, as: UTF8.self)
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte.isLetterOrDigit
    }
}
