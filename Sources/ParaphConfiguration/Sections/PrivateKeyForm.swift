import Bytes
import OAuthSigning

/// Tells what stands where an RSA private key in PEM belongs.
enum PrivateKeyForm {
    /// Returns words on what it is, or on what is wrong with its form; nil where that cannot be told.
    static func words(on secret: Secret) -> String? {
        let text = secret.revealed()
        guard let start = text.firstRange(of: "-----BEGIN ") else {
            return SecretForm.isPath(text) || [".pem", ".key"].contains(where: text.hasSuffix)
                ? "looks like a path, and is not read as one; write {file: PATH}" : nil
        }
        let label = text[start.upperBound...].prefix { $0 != "-" && !$0.isNewline }
        switch label {
        case "EC PRIVATE KEY": return ellipticCurve
        case "OPENSSH PRIVATE KEY":
            return "is in OpenSSH's own form; on a copy of the file run: ssh-keygen -p -m PEM -f FILE"
        case "ENCRYPTED PRIVATE KEY": return encrypted
        case "PUBLIC KEY", "RSA PUBLIC KEY": return "is a public key; give the private one"
        case "CERTIFICATE", "CERTIFICATE REQUEST": return "is a certificate; give its private key"
        default: break
        }
        if text.contains("Proc-Type: 4,ENCRYPTED") { return encrypted }
        if text.contains(#"\n"#) {
            return #"has \n in place of line breaks; write it in double quotes, where \n is one, or as a block "#
                + #"behind |"#
        }
        let body = text[start.lowerBound...]
        guard body.split(whereSeparator: \.isNewline).count > 1 else {
            return "is on one line, and a PEM block has several; write it as a block behind | (not >), or give it "
                + "as {file: PATH}"
        }
        return isEllipticCurve(body) ? ellipticCurve : nil
    }

    private static let ellipticCurve = "is a key of an elliptic curve; the methods RSA-… sign with an RSA key"
    private static let encrypted =
        "is encrypted; write it without its passphrase, into a file that its owner alone reads: openssl pkey -in "
        + "FILE -out PLAIN"

    /// Looks for the identifier of such keys, id-ecPublicKey (RFC 5480, section 2.1.1), in PKCS#8.
    private static func isEllipticCurve(_ pem: Substring) -> Bool {
        let text = pem.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }.joined()
        guard let bytes = Base64.decode(text.utf8Span.span, allowsSpareBits: true) else { return false }
        let identifier: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
        return bytes.prefix(64).firstRange(of: identifier) != nil
    }
}
