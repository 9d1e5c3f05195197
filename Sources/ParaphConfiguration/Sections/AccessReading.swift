import OAuthSigning
import Routing

/// `access`, as far as it could be read.
struct AccessReading {
    var policy = AccessPolicy()
    /// Indicates whether clients were listed, even such as could not be read.
    var listsClients = false

    init() {}

    /// - Parameter apis: The APIs of the file, whose names and accounts clients may be confined to.
    init(_ section: Section, apis: [APIRoute]) {
        defer { section.finish() }
        let clients = section["clients"].flatMap { $0.isNull ? nil : $0.items() } ?? []
        listsClients = !clients.isEmpty
        var names: Set<String> = []
        let networks = NetworkPolicy(
            denied: section["denied_networks"]?.networks() ?? NetworkPolicy.standard.denied,
            allowed: section["allowed_networks"]?.networks() ?? []
        )
        let ports = section["connect_ports"]?.ports()
        policy = AccessPolicy(
            clients: clients.compactMap { $0.client(apis: apis, names: &names) },
            otherHosts: section["other_hosts"]?.otherHosts() ?? .tunnel,
            networks: networks,
            connectPorts: ports ?? [443],
            plainPorts: ports ?? [80]
        )
    }
}

extension Value {
    fileprivate func client(apis: [APIRoute], names: inout Set<String>) -> Client? {
        guard let section = section() else { return nil }
        defer { section.finish() }
        let nameValue = section.required("name")
        let name = nameValue?.clientName()
        if let name, !names.insert(name).inserted {
            nameValue?.report("is the name of another client too")
        }
        let password = section.required("password")?.secret()
        let permitted = section["apis"]?.names(among: apis.map(\.name), what: "API")
        let reachable = permitted.map { names in apis.filter { names.contains($0.name) } } ?? apis
        let accounts = section["accounts"]?.names(
            among: reachable.flatMap(\.accountNames),
            what: "account of these APIs",
            // An account that is enrolled later may have any name.
            areAllKnown: !reachable.contains { $0.acceptsEnrolled }
        )
        guard let name, let password else { return nil }
        return Client(name: name, apis: permitted, accounts: accounts) { presented in
            password.matches(presented)
        }
    }

    private func clientName() -> String? {
        guard let name = word() else { return nil }
        guard !name.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "+") }) else {
            report("may hold neither : nor +, which separate it from the password and from an account's name")
            return nil
        }
        return name
    }

    private func names(among known: [String], what: String, areAllKnown: Bool = true) -> Set<String>? {
        guard let items = items() else { return nil }
        if items.isEmpty { report("is empty, which allows nothing; leave it out to allow everything") }
        let all = Set(known)
        for item in items {
            guard let name = item.word(), areAllKnown, !all.contains(name) else { continue }
            item.report("names no \(what)\(Self.correction(of: name, among: all.sorted()))")
        }
        return Set(items.compactMap(\.scalar))
    }

    /// `tunnel`, `refuse`, or `{allow: [HOST, …], else: refuse}`.
    fileprivate func otherHosts() -> OtherHosts? {
        if isList {
            report("must be tunnel, refuse, or {allow: [HOST, …], else: refuse}, not a list of its own")
            return nil
        }
        guard isMapping else {
            return choice(of: OtherHosts.Treatment.self, or: "{allow: [HOST, …], else: refuse}")
                .map { OtherHosts(else: $0) }
        }
        guard let section = section() else { return nil }
        defer { section.finish() }
        let allowed = section.required("allow")?
            .hostPatterns(everyHost: "is every host; write other_hosts: tunnel, in place of allow").map(\.pattern)
        let other = section["else"]
        let treatment = other?.choice(of: OtherHosts.Treatment.self)
        if treatment == .tunnel {
            other?.report("is tunnel, by which allow has no effect; write refuse, or tunnel alone")
        }
        return allowed.map { OtherHosts(allowing: $0, else: .refuse) }
    }

    fileprivate func networks() -> [IPNetwork]? {
        if isNull { return nil }
        return items()?.compactMap { item in
            guard let text = item.word() else { return nil }
            do {
                return try IPNetwork(text)
            } catch {
                item.report("\(error)")
                return nil
            }
        }
    }

    fileprivate func ports() -> Set<Int>? {
        if isNull { return nil }
        return items().map { Set($0.compactMap { $0.integer(1...65_535) }) }
    }
}

extension Secret {
    /// Takes as long wherever the two first differ, and tells nothing of the secret's length but whether it is the
    /// same.
    fileprivate func matches(_ presented: Span<UInt8>) -> Bool {
        withBytes { expected in
            var difference: UInt8 = expected.count == presented.count ? 0 : 1
            guard expected.count > 0 else { return false }
            for index in presented.indices { difference |= presented[index] ^ expected[index % expected.count] }
            return difference == 0
        }
    }
}
