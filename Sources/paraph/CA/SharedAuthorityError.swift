import FoundationEssentials
import UpstreamTrust

/// The reason why the local CA that proxies share cannot be had, or not be renewed.
enum SharedAuthorityError: Error, Equatable {
    /// - Parameter vault: Its name, for a person.
    case none(vault: String)
    /// - Parameter vault: Its name, for a person.
    case changed(vault: String)
    /// - Parameter path: The path of the certificate.
    case expired(path: String, at: Date)
}

extension SharedAuthorityError: CustomStringConvertible {
    var description: String {
        switch self {
        case .none(let vault): "there is no CA in \(vault) yet; paraph run puts it there at its first start"
        case .expired(let path, let date):
            "the CA that the proxies share, \(path), expired on \(UTCText.format(date)); make its certificate anew with: "
                + "paraph ca renew (and give it to the clients)"
        case .changed(let vault):
            "the CA in \(vault) was changed by somebody else at the same time. Run the command again."
        }
    }
}
