/// The reason why the local CA that proxies share cannot be had, or not be renewed.
enum SharedAuthorityError: Error, Equatable {
    /// - Parameter vault: Its name, for a person.
    case none(vault: String)
    /// - Parameter vault: Its name, for a person.
    case changed(vault: String)
}

extension SharedAuthorityError: CustomStringConvertible {
    var description: String {
        switch self {
        case .none(let vault): "there is no CA in \(vault) yet; paraph run puts it there at its first start"
        case .changed(let vault):
            "the CA in \(vault) was changed by somebody else at the same time. Run the command again."
        }
    }
}
