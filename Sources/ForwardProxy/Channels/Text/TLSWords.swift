import NIOCore
import NIOSSL

/// A person's words for an error of the TLS library, or of the connection under it.
enum TLSWords {
    static func describe(_ error: any Error) -> String {
        if error is IOError { return SocketErrorText.describe(error) }
        let text = "\(error)"
        for (token, words) in known where text.contains(token) { return words }
        // The library says much more: in which of its files it happened, and what that has to do with it.
        guard let label = text.firstRange(of: "OPENSSL_internal:") else { return text }
        return "TLS error \(text[label.upperBound...].prefix { $0 == "_" || $0.isLetter || $0.isNumber })"
    }

    /// Returns whether the peer said, in an alert, that it does not accept the certificate.
    static func isCertificateRefused(_ error: any Error) -> Bool {
        let text = "\(error)"
        return ["UNKNOWN_CA", "CERTIFICATE_UNKNOWN", "BAD_CERTIFICATE"].contains { text.contains("ALERT_\($0)") }
    }

    /// Returns whether the peer closed the connection before the handshake was over.
    static func isEndDuringHandshake(_ error: any Error) -> Bool { "\(error)".contains("EOF during handshake") }

    /// Returns whether the peer said, in an alert, that it wants a certificate of this side, or another one than it was
    /// shown.
    static func asksForCertificate(_ error: any Error) -> Bool {
        let text = "\(error)"
        let alerts = ["CERTIFICATE_REQUIRED", "CERTIFICATE_EXPIRED", "CERTIFICATE_REVOKED", "UNSUPPORTED_CERTIFICATE"]
        return isCertificateRefused(error) || alerts.contains { text.contains("ALERT_\($0)") }
    }

    /// Returns whether the peer said, in an alert, that it speaks none of the protocols of the next layer that it was
    /// offered.
    static func refusesProtocols(_ error: any Error) -> Bool { "\(error)".contains("ALERT_NO_APPLICATION_PROTOCOL") }

    private static let known: [(String, String)] = [
        ("WRONG_VERSION_NUMBER", "the peer does not speak TLS on this port"),
        ("HTTP_REQUEST", "the peer speaks plain HTTP on this port"),
        ("HTTPS_PROXY_REQUEST", "the peer speaks plain HTTP on this port"),
        ("UNSUPPORTED_PROTOCOL", "the peer offers no TLS version that is allowed here"),
        ("PROTOCOL_VERSION", "the peer and this proxy have no TLS version in common"),
        ("EXCESSIVE_MESSAGE_SIZE", "the peer sent a certificate chain of more than 100 KiB, or too long a message"),
        ("BAD_PACKET_LENGTH", "the peer sent a message of the wrong length, as some do that break off"),
        ("HANDSHAKE_FAILURE", "the peer and this proxy have no cipher suite or certificate type in common"),
        ("UNKNOWN_CA", "the peer does not trust the certificate's authority"),
        ("CERTIFICATE_UNKNOWN", "the peer does not accept the certificate"),
        ("BAD_CERTIFICATE", "the peer does not accept the certificate"),
        ("CERTIFICATE_REQUIRED", "the peer asks for a client certificate"),
        ("ALERT_CERTIFICATE_EXPIRED", "the peer says that the certificate has expired"),
        ("ALERT_CERTIFICATE_REVOKED", "the peer says that the certificate was revoked"),
        ("ALERT_UNSUPPORTED_CERTIFICATE", "the peer does not take certificates of this kind"),
        ("UNRECOGNIZED_NAME", "the peer does not know the server name"),
        ("failedToValidateHostname", "the certificate is for another host name"),
        ("EOF during handshake", "the peer closed the connection during the handshake"),
        ("NO_APPLICATION_PROTOCOL", "the peer speaks none of the protocols that were offered to it (ALPN)"),
        ("BAD_DECRYPT", "a record of the peer's cannot be decrypted: it was changed on its way"),
        ("OR_BAD_RECORD_MAC", "a record of the peer's cannot be decrypted: it was changed on its way"),
    ]
}
