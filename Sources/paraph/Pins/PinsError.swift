import ArgumentParser
import ForwardProxy
import ParaphConfiguration
import Routing
import UpstreamTrust

/// The reason why no pins are printed or tested.
enum PinsError: Error, CustomStringConvertible {
    case authority(option: String, AuthoritySyntaxError)
    /// A URL, or a pattern, stands in the place of a host.
    case noHost(option: String, text: String)
    case proxy(UpstreamProxyURLError)
    case unreadableRoots(path: String, reason: String)
    /// The host is none that the configuration has an API for.
    case noAPI(server: Authority, file: String)
    /// The API of the host speaks no TLS.
    case clearText(server: Authority, api: String)
    case unreachable(UpstreamProbeError)
    case refused(TrustFailure)

    static func authority(_ text: String, _ option: String, defaultPort: Int?) throws(PinsError) -> Authority {
        if text.contains("/") || text.contains("*") { throw .noHost(option: option, text: text) }
        do {
            return try Authority(parsing: text, defaultPort: defaultPort)
        } catch {
            throw .authority(option: option, error)
        }
    }

    var exitCode: ExitCode {
        switch self {
        case .authority, .noHost, .proxy: .validationFailure
        case .unreadableRoots, .noAPI, .clearText: .badData
        case .unreachable: .unavailable
        case .refused: .refused
        }
    }

    var description: String {
        switch self {
        case .authority(let option, let error):
            "\(option) \(error)"
        case .noHost(let option, let text):
            text.contains("/")
                ? "\(option) is written without scheme and path, as in api.example.com or api.example.com:8443"
                : "\(option) is one host, without a *: the server of each has to be asked"
        case .proxy(let error):
            "--upstream-proxy \(error)"
        case .unreadableRoots(let path, let reason):
            "--trust \(path): \(reason)"
        case .noAPI(let server, let file):
            "\(server) is of no API in \(file); without --check, `paraph pins` prints pins for any host"
        case .clearText(let server, let api):
            "\(server) is reached without TLS (apis.\(api).upstream is http), so that there is no certificate to pin"
        case .unreachable(let error):
            "\(error)"
        case .refused(let failure):
            "\(failure.detail)\n\n\(failure.reason.remedy)"
        }
    }
}

extension TrustFailureReason {
    /// Advice on what to do about it, for whoever wants to pin the server.
    var remedy: String {
        switch self {
        case .selfSigned, .untrustedRoot, .missingIssuer, .leafIsNoRoot:
            """
            If a private authority signs this server's certificates, get its root from whoever runs the server, by a way \
            on which nobody can exchange it, and name the file: --trust root.pem (in the configuration: tls.trust). Do \
            not pin what is printed above before that: an impostor would show no less.
            """
        case .wrongHostname:
            """
            Ask for a name that the certificate is for. To reach that name at another address: --connect-to HOST:PORT \
            (in the configuration: connect_to).
            """
        case .expired, .notYetValid:
            "Look at this machine's clock (date -u); if it is right, the server's certificate has to be renewed."
        case .noTrustedRoots:
            "Pins are printed of chains that are valid; there has to be a root to judge them by."
        case .noPinMatched:
            """
            If the provider has changed its keys, and says so in a place that you trust, pin what is printed above. If \
            it has not, somebody is in between.
            """
        case .revocationListMissing, .revocationListExpired:
            "Get the current revocation list of that issuer, and name its file in tls.revocation.crls."
        case .revoked:
            "The server's operator has to get a new certificate, with a new key if others may know the old one."
        case .noCertificate, .unreadableCertificate, .weakKey, .weakSignature, .wrongSignature, .notAnAuthority,
            .pathTooLong, .wrongPurpose, .authorityAsServer, .flawedCertificate, .nameConstraints,
            .unknownCriticalExtension, .searchTooLong, .tooManyComparisons:
            "The server's operator has to correct this; no pin makes up for it."
        }
    }
}
