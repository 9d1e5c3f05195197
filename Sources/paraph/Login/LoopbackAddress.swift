import Bytes
import Credentials
import OAuthSigning

/// The address at which a callback listener listens, and the one that it is reached at.
struct LoopbackAddress: Sendable, Equatable {
    /// An IP address, without brackets.
    let host: String
    /// The port; 0: any free one.
    let port: Int
    let path: String
    /// The callback as it is registered with the provider; nil: made of the port that is listened on.
    private let text: String?

    private static let path = "/callback"

    /// Finds where to listen for the callback; nil where that is nowhere on this machine that is known.
    init?(_ callback: ThreeLeggedSettings.Callback) {
        switch callback {
        case .outOfBand: return nil
        case .loopback:
            host = "127.0.0.1"
            port = 0
            path = Self.path
            text = nil
        case .address(let address):
            guard let url = ExchangeURL(address), url.scheme == .http,
                let (host, port) = Self.loopback(url.authority)
            else { return nil }
            self.host = host
            self.port = port
            path = String(url.target.prefix { $0 != "?" })
            text = address
        }
    }

    /// The callback as the provider is told it.
    func callback(port: Int) -> String {
        text ?? "http://\(host):\(port)\(path)"
    }

    /// Returns the host and the port; nil without a port: what is privileged is not for a command to listen on.
    private static func loopback(_ authority: String) -> (host: String, port: Int)? {
        guard let colon = authority.lastIndex(of: ":"), let port = Int(authority[authority.index(after: colon)...])
        else {
            return nil
        }
        switch authority[..<colon].lowercased() {
        case "localhost", "127.0.0.1": return ("127.0.0.1", port)
        case "[::1]": return ("::1", port)
        default: return nil
        }
    }
}
