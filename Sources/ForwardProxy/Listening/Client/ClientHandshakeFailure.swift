import Glibc
import NIOCore
import NIOSSL

/// The reason why a client's TLS handshake led to nothing, as far as it shows.
///
/// Clients that do not trust a certificate tell so in as many ways as there are libraries: by an alert (Go, and OpenSSL by
/// TLS 1.2), by one that is not encrypted where it should be (OpenSSL by TLS 1.3, and so curl and Python), by a close in
/// the middle of the handshake (Java, Node by TLS 1.3), or by one right after it (GnuTLS, and so wget and git).
enum ClientHandshakeFailure: Equatable {
    /// The client said that it does not accept the certificate.
    case untrusting(reason: String)
    /// The client closed the connection where those do that do not accept the certificate.
    case probablyUntrusting(reason: String)
    case other(reason: String)

    /// - Parameters:
    ///   - alert: The description of an alert that was not encrypted (RFC 8446, section 6); nil: there was none.
    ///   - helloCame: Whether the client had begun the handshake, so that it was shown the certificate.
    init(_ error: any Error, alert: UInt8?, helloCame: Bool) {
        if let reason = alert.flatMap(Self.refusalWords) {
            self = .untrusting(reason: reason)
        } else if TLSWords.isCertificateRefused(error) {
            self = .untrusting(reason: TLSWords.describe(error))
        } else if helloCame, Self.isEnd(error) {
            self = .probablyUntrusting(reason: TLSWords.describe(error))
        } else {
            self = .other(reason: TLSWords.describe(error))
        }
    }

    private static func isEnd(_ error: any Error) -> Bool {
        if let error = error as? IOError { return error.errnoCode == ECONNRESET }
        return TLSWords.isEndDuringHandshake(error)
    }

    private static func refusalWords(alert: UInt8) -> String? {
        switch alert {
        case 42: "the peer does not accept the certificate (bad_certificate)"
        case 46: "the peer does not accept the certificate (certificate_unknown)"
        case 48: "the peer does not trust the certificate's authority"
        default: nil
        }
    }
}
