import Bytes
import Routing
import Settings
import UpstreamTrust

extension EtcdSettings {
    private static let defaultPort = 2379

    /// `vault.etcd`
    ///
    /// - Returns: Nil when a mistake was reported.
    static func read(_ section: Section) -> EtcdSettings? {
        let endpointsValue = section.required("endpoints")
        let prefixValue = section["prefix"]
        let trustValue = section["trust"].flatMap { $0.isNull ? nil : $0 }
        let certificate = section["certificate"]
        let key = section["private_key"]
        let username = section["username"]
        let password = section["password"]
        section.finish()

        let endpoints = endpointsValue.flatMap(endpoints)
        let prefix = prefixValue.map { $0.keyPrefix() } ?? "paraph/"
        let trust = trustValue.map { $0.rootsOfOwnServers() } ?? .system
        let identity = TLSIdentity.read(
            certificate: certificate,
            key: key,
            of: section,
            names: ("certificate", "private_key")
        )
        let user = readUser(username, password, of: section)
        guard let endpoints else { return nil }
        if !endpoints.contains(where: { $0.endpoint.scheme == .https }) {
            for value in [trustValue, certificate, key] {
                guard let value, !value.isNull else { continue }
                value.reportAtKey(
                    "is of no use beside http:// endpoints, which speak no TLS; remove it, or write https://"
                )
            }
        }
        for (endpoint, value) in endpoints where endpoint.scheme == .http && !endpoint.isLoopback {
            if username != nil || password != nil {
                value.report("must start with https://, for a password travels there")
            } else {
                value.advise(
                    .warning,
                    "is http: whoever is on the way can keep credentials away, and put back older ones; write https://"
                )
            }
        }
        guard let prefix, let trust else { return nil }
        return EtcdSettings(
            endpoints: endpoints.map(\.endpoint),
            prefix: prefix,
            trust: trust,
            identity: identity,
            user: user
        )
    }

    private static func endpoints(_ value: Value) -> [(endpoint: EtcdEndpoint, value: Value)]? {
        guard let items = value.items() else { return nil }
        if items.isEmpty { value.report("is an empty list; name at least one server, like https://etcd-0:2379") }
        var endpoints: [(endpoint: EtcdEndpoint, value: Value)] = []
        for item in items {
            guard let endpoint = item.etcdEndpoint(defaultPort: defaultPort) else { continue }
            if endpoints.contains(where: { $0.endpoint == endpoint }) {
                item.report("is listed already")
            }
            endpoints.append((endpoint, item))
        }
        return endpoints
    }

    private static func readUser(_ username: Value?, _ password: Value?, of section: Section) -> User? {
        if username != nil, password == nil { section.value.reportAtKey("lacks password beside username") }
        if password != nil, username == nil { section.value.reportAtKey("lacks username beside password") }
        let name = username?.word()
        let secret = password?.secret()
        guard let name, let secret else { return nil }
        return User(name: name, password: secret)
    }
}

extension EtcdEndpoint {
    /// Indicates whether what is sent to it stays on this machine.
    fileprivate var isLoopback: Bool {
        authority.address?.isLoopback ?? (authority.host == "localhost")
    }
}

extension Value {
    /// The text is never printed: it may hold a password.
    fileprivate func etcdEndpoint(defaultPort: Int) -> EtcdEndpoint? {
        guard let text = word() else { return nil }
        let lowered = text.lowercased()
        guard let scheme = URIScheme.allCases.first(where: { lowered.hasPrefix("\($0.rawValue)://") }) else {
            report("must be an address that starts with https:// or http://, like https://etcd-0:2379")
            return nil
        }
        var rest = text.dropFirst("\(scheme.rawValue)://".utf8.count)
        guard !rest.utf8.contains(UInt8(ascii: "@")) else {
            report("carries a user name or a password, which are written as username and password beside endpoints")
            return nil
        }
        if rest.hasSuffix("/") { rest.removeLast() }
        guard !rest.utf8.contains(where: { "/?#".utf8.contains($0) }) else {
            report("has a path, which etcd's servers have none of; write https://HOST:PORT")
            return nil
        }
        do {
            return EtcdEndpoint(
                scheme: scheme,
                authority: try Authority(parsing: String(rest), defaultPort: defaultPort)
            )
        } catch {
            report("\(error), like https://etcd-0:2379")
            return nil
        }
    }

    fileprivate func keyPrefix() -> String? {
        guard let text = word() else { return nil }
        guard text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            report("must be of ASCII characters alone, like paraph/")
            return nil
        }
        if let inner = Self.recordFolders.first(where: { text.hasPrefix($0) || text.contains("/\($0)") }) {
            advise(
                .warning,
                "has \(inner), under which a vault keeps its records: one with the prefix before that takes those of this "
                    + "one for its own; choose another, like paraph-b/"
            )
        }
        return text
    }

    /// The beginnings of the keys of a vault's records, after its prefix.
    private static let recordFolders = ["credentials/", "clocks/", "exchanges/", "keys/"]

    /// A PEM file, or what other trusted roots are.
    fileprivate func rootsOfOwnServers() -> TrustRoots? {
        guard scalar != nil, scalar != "system" else { return trustRoots() }
        return certificates().map { .certificates($0) }
    }
}
