import Glibc
import NIOCore
import NIOSSL
import Testing

@testable import ForwardProxy

@Suite("A client's TLS handshake that fails")
struct ClientHandshakeFailureTests {
    private struct Ended: Error, CustomStringConvertible {
        let description: String
    }

    private static let wrongLength = Ended(description: "SSL routines:OPENSSL_internal:BAD_PACKET_LENGTH")
    private static let end = Ended(description: "EOF during handshake")

    @Test("is about trust for certain where an alert says so, encrypted or not")
    func isCertain() {
        for alert in [42, 46, 48] as [UInt8] {
            guard case .untrusting = ClientHandshakeFailure(Self.wrongLength, alert: alert, helloCame: true) else {
                Issue.record("alert \(alert)")
                continue
            }
        }
        let encrypted = Ended(description: "SSL routines:OPENSSL_internal:TLSV1_ALERT_UNKNOWN_CA")
        guard case .untrusting = ClientHandshakeFailure(encrypted, alert: nil, helloCame: true) else {
            Issue.record("an encrypted alert")
            return
        }
    }

    @Test("is probably about trust where the client is gone once it was shown the certificate")
    func isProbable() {
        let reset = IOError(errnoCode: ECONNRESET, reason: "read")
        for error in [Self.end, reset] as [any Error] {
            guard case .probablyUntrusting = ClientHandshakeFailure(error, alert: nil, helloCame: true) else {
                Issue.record("\(error)")
                continue
            }
            guard case .other = ClientHandshakeFailure(error, alert: nil, helloCame: false) else {
                Issue.record("\(error), and no hello")
                continue
            }
        }
    }

    @Test("is about something else otherwise", arguments: [nil, 40, 70, 80] as [UInt8?])
    func isOther(alert: UInt8?) {
        guard case .other = ClientHandshakeFailure(Self.wrongLength, alert: alert, helloCame: true) else {
            Issue.record("alert \(alert ?? 0)")
            return
        }
    }
}
