import Bytes
import HTTP1Codec
package import NIOCore

/// Decides what becomes of a request: pure, without I/O, from what the configuration says and what the client sent.
///
/// A CONNECT request settles who the client is, whether its host is an API's, and which account Proxy-Authorization
/// names. Each request inside an interception then settles host, account, path and method. An absolute-form request
/// settles all of it at once. A class, so that asking it copies nothing.
package final class Router: Sendable {
    package let apis: APITable
    package let access: AccessPolicy
    /// The account of requests that name none; nil: `default`. An API that does not have it refuses them.
    package let assumedAccount: String?

    package init(apis: APITable, access: AccessPolicy, assumedAccount: String? = nil) {
        self.apis = apis
        self.access = access
        self.assumedAccount = assumedAccount
    }
}

extension Router {
    /// The client that a request claims to be of, and which account its credentials name.
    struct Requester {
        var client: Client?
        var accountName: String?
    }

    /// - Parameter name: The field that has the client's credentials.
    func identify(_ head: borrowing RequestHead, by name: KnownField = .proxyAuthorization) throws(Refusal) -> Requester
    {
        guard let range = head.fields.valueRange(of: name) else { return try identify(.otherScheme) }
        let bytes = head.fields.bytes.readableBytesUInt8Span
        return try identify(BasicCredentials.read(bytes.extracting(range)))
    }

    func identify(_ field: BasicCredentials.Field) throws(Refusal) -> Requester {
        if access.clients.isEmpty {
            switch field {
            case .otherScheme: return Requester()
            // Such a client may have named an account; to sign as another one would be a silent fallback.
            case .malformed: throw .malformedProxyAuthorization
            case .basic(let credentials): return Requester(accountName: Self.nonEmpty(credentials.user[...]))
            }
        }
        guard case .basic(let credentials) = field else { throw .clientNotAuthenticated }
        let parts = credentials.user.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first,
            let client = access.client(named: String(name), password: credentials.password.span)
        else { throw .clientNotAuthenticated }
        return Requester(client: client, accountName: parts.count == 2 ? Self.nonEmpty(parts[1]) : nil)
    }

    private static func nonEmpty(_ name: Substring) -> String? {
        name.isEmpty ? nil : String(name)
    }

    /// Admits a request to an API, by what its client may use and what the API permits.
    ///
    /// - Parameter originOffset: The position at which the origin-form begins in the request-target.
    /// - Returns: The account that it is for.
    func admit(
        _ requester: Requester,
        to route: APIRoute,
        _ head: borrowing RequestHead,
        originOffset: Int
    ) throws(Refusal) -> Account {
        try admit(requester.client, to: route)
        let account = try account(
            of: route,
            for: head,
            credentialsName: requester.accountName,
            client: requester.client
        )
        try confine(head, to: route, originOffset: originOffset)
        return account
    }

    private func admit(_ client: Client?, to route: APIRoute) throws(Refusal) {
        guard let client, let apis = client.apis, !apis.contains(route.name) else { return }
        throw .apiNotAllowed(client: client.name, api: route.name)
    }

    /// A client that is confined to APIs reaches nothing else.
    func admit(_ client: Client?, toHostOfNoAPI authority: Authority) throws(Refusal) {
        guard let client, client.apis != nil else { return }
        throw .otherHostNotAllowed(client: client.name, authority)
    }

    /// Paraph-Account first, then the name in Proxy-Authorization, then the account that is assumed. A name that is
    /// given and unknown is refused: a request is never signed as somebody else than it names.
    /// - Parameter credentialsName: The one in Proxy-Authorization.
    func account(
        of route: APIRoute,
        for head: borrowing RequestHead,
        credentialsName: String?,
        client: Client?
    ) throws(Refusal) -> Account {
        let account: Account
        if let range = head.fields.valueRange(of: .paraphAccount) {
            let text = head.fields.bytes.readableBytesUInt8Span.extracting(range).text
            let name = text ?? "not UTF-8"
            guard text != nil, let named = route.account(named: name) else {
                throw .unknownAccount(name, api: route.name)
            }
            account = named
        } else if let name = credentialsName ?? assumedAccount {
            guard let named = route.account(named: name) else {
                throw .unknownAccount(name, api: route.name)
            }
            account = named
        } else {
            guard let named = route.defaultAccount else {
                throw .unknownAccount(Account.defaultName, api: route.name)
            }
            account = named
        }
        if let client, !client.mayUse(account) {
            throw .accountNotAllowed(client: client.name, account: account.name)
        }
        return account
    }

    /// Refuses what an API's methods and paths do not permit, and what would have a framework pass by such rules.
    ///
    /// - Parameter originOffset: The position at which the origin-form begins in the request-target.
    func confine(_ head: borrowing RequestHead, to route: APIRoute, originOffset: Int) throws(Refusal) {
        let bytes = head.fields.bytes.readableBytesUInt8Span
        let target = bytes.extracting(head.targetRange.lowerBound + originOffset..<head.targetRange.upperBound)
        guard route.permits(method: bytes.extracting(head.methodRange)) else {
            throw .methodNotAllowed(api: route.name)
        }
        if let overrides = route.overrides, overrides.hasParameter(target) { throw .methodParameter(api: route.name) }
        switch route.pathRules?.judge(target) {
        case .permitted, nil: break
        case .outside: throw .pathNotAllowed(api: route.name)
        case .ambiguous: throw .ambiguousPath(api: route.name)
        }
        guard let overrides = route.overrides else { return }
        for line in head.fields where line.known == .other {
            guard let field = overrides.field(named: line.name.readableBytesUInt8Span) else { continue }
            throw .methodOverridden(field: field, api: route.name)
        }
    }
}

extension Router {
    /// - Parameters:
    ///   - target: The request-target of CONNECT, `HOST:PORT`.
    ///   - proxyAuthorization: The value of the Proxy-Authorization field; nil when there is none.
    package func decide(
        connect target: ByteBuffer,
        proxyAuthorization: ByteBuffer?
    ) throws(Refusal) -> ConnectDecision {
        let field = proxyAuthorization.map { BasicCredentials.read($0.readableBytesUInt8Span) }
        let requester = try identify(field ?? .otherScheme)
        let authority = try Self.parseAuthority(target.readableBytesUInt8Span, defaultPort: nil)
        guard let route = apis.route(for: authority) else {
            guard access.otherHosts.admits(authority) else { throw .hostOfNoAPI(authority) }
            try admit(requester.client, toHostOfNoAPI: authority)
            guard access.connectPorts.contains(authority.port) else { throw .portNotAllowed(authority) }
            return .tunnel(authority, client: requester.client)
        }
        try admit(requester.client, to: route)
        return .intercept(
            Interception(
                route: route,
                authority: authority,
                upstream: route.upstream(for: authority),
                client: requester.client,
                accountName: requester.accountName
            )
        )
    }

    static func parseAuthority(_ bytes: Span<UInt8>, defaultPort: Int?) throws(Refusal) -> Authority {
        do {
            return try Authority(parsing: bytes, defaultPort: defaultPort)
        } catch {
            throw .malformedAuthority(error)
        }
    }
}

/// The decision on a CONNECT request that is not refused.
package enum ConnectDecision: Sendable {
    /// A blind tunnel to a host of no API.
    case tunnel(Authority, client: Client?)
    /// TLS is ended here and each request inside is decided upon.
    case intercept(Interception)
}
