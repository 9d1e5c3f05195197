import HTTP1Codec
import UpstreamTrust

/// The reason why another proxy, which a connection was to be made through, gave no tunnel.
enum UpstreamProxyFailure: Equatable {
    /// It could not be connected to, for the reason that this sentence tells.
    case unreachable(String)
    /// It answered CONNECT with another status than 2xx.
    case refused(status: Int)
    case malformed(MessageError)
    case closed
    case timeout
    /// The TLS handshake with it, where it is spoken to by TLS.
    case handshake(String)
    case handshakeTimeout
    case notTrusted(TrustFailure)
}

// MARK: - The table of answers

extension UpstreamProxyFailure {
    func answer(proxy: String) -> FailureAnswer {
        switch self {
        case .unreachable(let words):
            FailureAnswer(502, .connectionRefused, .unreachable) {
                "The upstream proxy \(proxy) could not be reached: \(words) Nothing was sent to \($0). "
                    + "Check upstream_proxy."
            }
        case .refused(let status):
            FailureAnswer(502, .connectionRefused, .unreachable) {
                "The upstream proxy \(proxy) refused a tunnel to \($0) with status \(status). "
                    + Self.advice(status: status)
            }
        case .malformed(let error):
            FailureAnswer(502, .httpProtocolError, .unreachable) {
                "The upstream proxy \(proxy), asked for a tunnel to \($0), answered with something that is "
                    + "no HTTP/1.1 response: \(error) Check that upstream_proxy names an HTTP proxy and its port."
            }
        case .closed:
            FailureAnswer(502, .connectionTerminated, .unreachable) {
                "The upstream proxy \(proxy) closed the connection before it opened a tunnel to \($0)."
            }
        case .timeout:
            FailureAnswer(504, .connectionTimeout, .unreachable) {
                "The upstream proxy \(proxy) did not open a tunnel to \($0) in time (timeouts.connect)."
            }
        case .handshake(let words):
            FailureAnswer(502, .tlsProtocolError, .tlsFailed) {
                "The TLS handshake with the upstream proxy \(proxy) failed: \(words). Nothing was sent to \($0). "
                    + "Check that this port of the proxy speaks TLS; if it does not, write upstream_proxy with http://."
            }
        case .handshakeTimeout:
            FailureAnswer(504, .connectionTimeout, .tlsFailed) {
                "The upstream proxy \(proxy) did not finish its TLS handshake in time (timeouts.handshake). "
                    + "Nothing was sent to \($0). Check that this port of the proxy speaks TLS."
            }
        case .notTrusted(let failure):
            FailureAnswer(502, .tlsCertificateError, .certificateRefused) {
                "Nothing was asked of the upstream proxy \(proxy), nor sent to \($0): "
                    + "\(failure.sentence(trustSetting: "upstream_proxy.trust")). \(Self.advice(failure.reason))"
            } summary: { _ in
                "certificate of the upstream proxy \(proxy) not accepted: \(failure.label)"
            }
        }
    }

    private static func advice(status: Int) -> String {
        switch status {
        case 407: "Check upstream_proxy.username and upstream_proxy.password."
        case 403: "Its rules do not allow this destination."
        default: "Its own log says why."
        }
    }

    private static func advice(_ reason: TrustFailureReason) -> String {
        switch reason {
        case .wrongHostname: "Write a name that it is for in upstream_proxy."
        case .selfSigned, .untrustedRoot, .missingIssuer, .wrongSignature, .noTrustedRoots, .leafIsNoRoot:
            "If it is the right one, name the PEM file of its root in upstream_proxy.trust."
        default: "Who keeps that proxy has to see to its certificate."
        }
    }
}
