import Credentials
import ParaphConfiguration

/// The way to a server that `--upstream-proxy` gives.
enum UpstreamWay {
    /// Nothing: the configuration decides.
    case configured
    case direct
    case through(UpstreamProxy)

    init(_ option: String?) throws(PinsError) {
        guard let option else {
            self = .configured
            return
        }
        guard option != "off" else {
            self = .direct
            return
        }
        do {
            self = .through(try UpstreamProxy(url: option))
        } catch {
            throw .proxy(error)
        }
    }

    func proxy(configured: UpstreamProxy?) -> UpstreamProxy? {
        switch self {
        case .configured: configured
        case .direct: nil
        // The address may be written without the credentials and the roots that the configuration has for it.
        case .through(let proxy): proxy.url == configured?.url ? configured : proxy
        }
    }
}
