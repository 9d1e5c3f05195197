import AsyncHTTPClient
import Bytes
import Files
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SystemPackage

/// A person's words for what keeps a server of etcd from answering. The libraries' own name functions, files and lines.
enum EtcdErrorWords {
    /// The most characters of what a server or a library says.
    private static let limit = 300

    /// The words for a server that has let a request's whole time go by.
    static let silence = "no answer in time"

    static func isSilence(_ error: any Error) -> Bool { describe(error) == silence }

    static func describe(_ error: any Error) -> String {
        switch error {
        case let error as HTTPClientError: describe(error)
        // Of several addresses, the first one's.
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { describe($0.error) } ?? "the name \(error.host) does not resolve"
        case let error as IOError: describe(error)
        case ChannelError.connectTimeout: silence
        case ChannelError.eof, ChannelError.ioOnClosedChannel, ChannelError.alreadyClosed, ChannelError.inputClosed,
            ChannelError.outputClosed, HTTPParserError.invalidEOFState, NIOSSLError.uncleanShutdown:
            "the connection was closed"
        case NIOSSLError.handshakeFailed(let error): describeTLS("\(error)", of: "the TLS handshake")
        case let error as BoringSSLError: describeTLS("\(error)", of: "TLS")
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            "the server's certificate is for another host name"
        default: condensed("\(error)", limit: limit)
        }
    }

    /// - Parameter text: The text of an answer that is not etcd's message, such as one of its gateway's own.
    static func describe(status: UInt, text: some StringProtocol) -> String {
        let words = condensed(text, limit: limit)
        return words.isEmpty ? "status \(status)" : "status \(status): \(words)"
    }

    /// - Parameters:
    ///   - text: An error of the TLS library. The last part of the word that it begins with its own name is the cause.
    ///   - stage: The step that has failed.
    static func describeTLS(_ text: String, of stage: String) -> String {
        if text.contains("EOF during handshake") { return "the connection was closed during the TLS handshake" }
        guard let origin = text.firstRange(of: "OPENSSL_internal:") else {
            return "\(stage) failed: \(condensed(text, limit: limit))"
        }
        let label = text[origin.upperBound...].prefix { $0 == "_" || $0.isLetter || $0.isNumber }
        switch label {
        case "WRONG_VERSION_NUMBER", "HTTP_REQUEST": return "the server does not speak TLS on this port"
        default: break
        }
        guard let alert = label.firstRange(of: "ALERT_") else { return "\(stage) failed: \(words(label))" }
        let cause = label[alert.upperBound...]
        if cause == "CERTIFICATE_REQUIRED" { return "the server asks for a client certificate" }
        guard cause.contains("CERTIFICATE") || cause == "UNKNOWN_CA" else {
            return "\(stage) failed: the server says \(words(cause))"
        }
        return "the server refused the certificate (\(words(cause)))"
    }

    private static func describe(_ error: HTTPClientError) -> String {
        switch error {
        case .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .tlsHandshakeTimeout:
            silence
        case .remoteConnectionClosed: "the connection was closed"
        default: condensed("\(error)", limit: limit)
        }
    }

    private static func describe(_ error: IOError) -> String {
        switch error.errnoCode {
        case ECONNREFUSED: "connection refused"
        case ETIMEDOUT: silence
        default: Errno(rawValue: error.errnoCode).connectionReason ?? condensed("\(error)", limit: limit)
        }
    }

    private static func words(_ label: Substring) -> String { label.lowercased().replacing("_", with: " ") }
}
