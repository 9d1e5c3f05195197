/// The client that a request says it is of, before that is checked.
package struct ClaimedLogin: Hashable, Sendable {
    /// The client's name, of which a long one is cut.
    package let name: String
    /// Stands for the name with its password: another one in each run of the program, and of no use to find them.
    package let fingerprint: Int
    /// Indicates whether there is a client of that name. Any other may be a secret in the wrong place, and is not to be
    /// shown.
    package let isListed: Bool

    private static let nameLimit = 64

    package init(name: String, secret: Span<UInt8>, isListed: Bool = true) {
        self.isListed = isListed
        self.name =
            name.utf8.count > Self.nameLimit ? String(decoding: name.utf8.prefix(Self.nameLimit), as: UTF8.self) : name
        var hasher = Hasher()
        hasher.combine(name)
        for index in secret.indices { hasher.combine(secret[index]) }
        fingerprint = hasher.finalize()
    }
}

extension Router {
    /// - Parameter credentials: The value of the field that says who the client is.
    /// - Returns: The client that it shows; nil where it shows none, or where no clients are listed.
    package func client(_ credentials: Span<UInt8>) -> Client? {
        (try? identify(BasicCredentials.read(credentials)))?.client
    }

    /// - Parameter credentials: The value of the field that says who the client is; nil when there is none.
    /// - Returns: Nil where no password is checked.
    package func claimedLogin(_ credentials: Span<UInt8>?) -> ClaimedLogin? {
        guard !access.clients.isEmpty, let credentials, case .basic(let basic) = BasicCredentials.read(credentials)
        else { return nil }
        let name = basic.user.prefix { $0 != "+" }
        return ClaimedLogin(name: String(name), secret: basic.password.span, isListed: access.lists(String(name)))
    }
}
