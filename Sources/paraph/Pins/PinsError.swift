import ArgumentParser
import ForwardProxy
import ParaphConfiguration
import Routing
import UpstreamTrust

/// The reason why no pins are printed or tested.
enum PinsError: Error, CustomStringConvertible {
    case authority(option: String, AuthoritySyntaxError)
    case proxy(UpstreamProxyURLError)
    case unreadableRoots(path: String, reason: String)
    /// The host is none that the configuration has an API for.
    case noAPI(server: Authority, file: String)
    /// The API of the host speaks no TLS.
    case clearText(server: Authority, api: String)
    case unreachable(UpstreamProbeError)
    case refused(TrustFailure)

    static func authority(_ text: String, _ option: String, defaultPort: Int?) throws(PinsError) -> Authority {
        do {
            return try Authority(parsing: text, defaultPort: defaultPort)
        } catch {
            throw .authority(option: option, error)
        }
    }

    var exitCode: ExitCode {
        switch self {
        case .authority, .proxy: .validationFailure
        case .unreadableRoots, .noAPI, .clearText: .badData
        case .unreachable: .unavailable
        case .refused: .refused
        }
    }

    var description: String {
        switch self {
        case .authority(let option, let error):
            "\(option) \(error)"
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
