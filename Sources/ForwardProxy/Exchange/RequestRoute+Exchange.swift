import Routing

/// A route in the terms of the pools and of the keepers of tokens.
extension RequestRoute {
    var target: UpstreamTarget {
        UpstreamTarget(kind: api.map { .api($0.index) } ?? .plain, authority: authority)
    }

    /// The account that authorizes the request; nil for a host of no API.
    var accountReference: AccountReference? {
        guard let api, let account else { return nil }
        guard let index = account.index else { return .enrolled(api: api.index, name: account.name) }
        return .configured(api: api.index, account: index)
    }

    /// The configured client that sent the request.
    var clientName: String? { client?.name }
}
