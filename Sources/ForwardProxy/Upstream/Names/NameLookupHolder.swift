/// The party that a look-up of a name is counted for.
enum NameLookupHolder: Hashable, Sendable {
    /// An API, for the names that its configuration has: its hosts and token endpoints.
    case api(String)
    /// The proxy that connections are made through.
    case upstreamProxy
    /// A client that is listed.
    case client(String)
    /// Everybody at an address, where no clients are listed.
    case address(String)

    /// Indicates whether its names are those of the configuration, which are as many as that has and no more.
    var isOfConfiguration: Bool {
        switch self {
        case .api, .upstreamProxy: true
        case .client, .address: false
        }
    }

    init(_ client: ClientUsage) {
        self = client.clientName.map { .client($0) } ?? .address(client.name)
    }
}
