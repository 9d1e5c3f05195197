import Bytes
import Credentials
import OAuthSigning
import NIOCore
import Routing
import Settings
import UpstreamTrust

/// An API as far as it could be read: enough for what concerns several APIs, even if some of it is wrong.
struct APIDraft {
    let route: APIRoute
    /// The settings of the API; nil only when a mistake was reported.
    let settings: APISettings?
    /// The kind of authorization of its requests; `nil` only when a mistake was reported.
    let kind: SchemeReading.Kind?
    private let proxy: UpstreamProxyReading
    private let connectTo: (target: Authority, value: Value)?
    private let hostValues: [Value]
    private let gateway: GatewayReading
    private let value: Value
    private let accountValues: [(name: String, value: Value)]

    /// The settings of the whole file for things that an API may say otherwise.
    struct Inherited {
        /// The proxy that it is reached through.
        var proxy: UpstreamProxy?
        var usesHTTP2: Bool
        var requests: Int?
        /// The value of `limits.collected`, in bytes.
        var collected = ProxyLimits().collected
        /// Indicates whether several replicas share the vault.
        var sharesVault = false
    }

    /// `apis`
    /// - Parameter enrolled: The APIs that accounts can be enrolled into.
    static func readAll(_ root: Section, enrolled: Set<String>, inherited: Inherited) -> [APIDraft] {
        guard let value = root.required("apis") else { return [] }
        guard !value.isNull else {
            value.reportAtKey("is empty; at least one API is needed")
            return []
        }
        guard let section = value.section() else { return [] }
        let members = section.members(isName: Value.isAPIName)
        section.finish()
        if members.isEmpty { value.reportAtKey("is empty; at least one API is needed") }
        let drafts = members.enumerated().compactMap {
            APIDraft($1.value, name: $1.name, index: $0, isEnrolled: enrolled.contains($1.name), inherited: inherited)
        }
        for conflict in APITable.conflicts(in: drafts.map(\.route)) {
            // Indices of APIs that could not be read at all are left out, so the position is not the index.
            guard let draft = drafts.first(where: { $0.route.index == conflict.secondAPIIndex }) else { continue }
            draft.hostValues[conflict.secondIndex].report(
                conflict.firstAPI == conflict.secondAPI
                    ? "is listed already, as \(conflict.first)"
                    : "claims \(conflict.second), which apis.\(ShownName.api(conflict.firstAPI)) claims too (\(conflict.first)); a host "
                        + "and port belong to one API"
            )
        }
        return drafts
    }

    /// Reports gateways that must not be where they are.
    /// - Parameter isOpen: Whether no clients are listed.
    static func checkGateways(of drafts: [APIDraft], listen: ListenReading, isOpen: Bool) {
        var listeners = [(name: "listen.proxy", address: listen.proxy)]
        if let admin = listen.admin { listeners.append(("listen.admin", admin)) }
        for draft in drafts { draft.gateway.check(isOpen: isOpen, others: &listeners, api: draft.route.name) }
    }

    /// Looks for what no client can use.
    func checkReach(by clients: [Client]) {
        ReachLint(clients: clients).run(route, value, accounts: accountValues)
    }

    func checkTargets(against networks: NetworkPolicy, listen: ListenReading) {
        proxy.check(against: networks, listen: listen)
        guard let connectTo, let address = connectTo.target.address, !networks.permits(address) else { return }
        connectTo.value.report("is in one of access.denied_networks; add it to access.allowed_networks if it is meant")
    }

    /// `apis.NAME`
    /// - Parameter isEnrolled: Whether accounts can be enrolled, so that none need be written.
    private init?(_ value: Value, name: String, index: Int, isEnrolled: Bool, inherited: Inherited) {
        value.checkAPIName(name)
        guard let section = value.section() else { return nil }
        defer { section.finish() }
        let presetValue = section["preset"]
        let preset = presetValue?.preset()
        let hosts = Self.hosts(section, preset: preset, presetValue: presetValue)
        let upstream = section["upstream"]
        let scheme = upstream?.choice(of: URIScheme.self) ?? .https
        if scheme == .http { upstream?.advise(.warning, "is http: requests travel in clear text, unverified") }
        let accounts = Self.accounts(section, mayBeEmpty: isEnrolled)
        // What is written beside the names is missing below them, which is no mistake of its own.
        let isMisplaced = accounts.contains { $0.value.isSettingOfAccount }
        route = APIRoute(
            index: index,
            name: name,
            hosts: hosts.map(\.pattern),
            accounts: accounts.map(\.name),
            upstreamScheme: scheme,
            paths: section["paths"]?.pathPrefixes(),
            methods: section["methods"]?.methods(),
            acceptsEnrolled: isEnrolled
        )
        hostValues = hosts.map(\.value)
        accountValues = accounts
        self.value = value
        gateway = GatewayReading(section, firstHost: hosts.first)
        connectTo = section["connect_to"].flatMap { value in
            value.connectTarget(defaultPort: scheme.defaultPort).map { ($0, value) }
        }
        proxy = UpstreamProxyReading(section)
        let usesHTTP2 = section["http2"].flatMap { $0.isNull ? nil : $0.isOn() } ?? inherited.usesHTTP2
        let requests = section["requests"].map { $0.requestLimit(else: inherited.requests) } ?? inherited.requests
        let responseHeaderTimeout = section.section("timeouts").flatMap(ProxyTimeouts.readResponseHeader)
        let addresses = ExchangeAddresses(route: route, preset: preset)
        let authorization = SchemeReading(section, addresses: addresses)
        kind = authorization.kind
        let readings = accounts.compactMap { account in
            isMisplaced && (account.value.isNull || account.value.isSettingOfAccount)
                ? nil
                : AccountSettings.read(account.value, name: account.name, scheme: authorization, addresses: addresses)
        }
        if inherited.sharesVault {
            let own = isEnrolled || accounts.isEmpty ? authorization.oauth1.map { [$0] } ?? [] : []
            for block in own + readings.compactMap(\.oauth1) { block.checkSharedTimestamps() }
        }
        let signing = section.section("signing")
        let maxBody = signing?["max_body"]?.size(0...(1 << 30))
        if let maxBody, maxBody > inherited.collected / 2 {
            signing?["max_body"]?
                .report("must not be more than half of limits.collected, which is \(inherited.collected) bytes")
        }
        let existing = signing?["on_existing_authorization"]?.choice(of: APISettings.ExistingAuthorization.self)
        signing?.finish()
        let tls = section.section("tls").map { [route] in TLSPolicy.read($0, route: route) } ?? TLSPolicy()
        guard let known = authorization.scheme, readings.count == accounts.count else {
            settings = nil
            return
        }
        APILint(
            route: route,
            preset: preset,
            place: presetValue ?? hosts.first?.value ?? value,
            scheme: authorization,
            accounts: readings,
            sharesVault: inherited.sharesVault
        ).run()
        settings = APISettings(
            route: route,
            connectTo: connectTo?.target,
            scheme: known,
            accounts: readings.map(\.settings),
            maxBody: maxBody ?? 1 << 20,
            existingAuthorization: existing ?? .replace,
            tls: tls,
            upstreamProxy: proxy.isSaid ? proxy.proxy : inherited.proxy,
            usesHTTP2: usesHTTP2,
            gateway: gateway.settings,
            requests: requests,
            responseHeaderTimeout: responseHeaderTimeout
        )
    }

    private static func hosts(
        _ section: Section,
        preset: Preset?,
        presetValue: Value?
    ) -> [(pattern: HostPattern, value: Value)] {
        if let value = section["hosts"] { return value.hostPatterns() }
        guard let preset, let presetValue else {
            // A preset that is not known would perhaps have had them.
            if presetValue == nil { section.value.reportAtKey("lacks hosts") }
            return []
        }
        if preset.hosts.isEmpty {
            section.value.reportAtKey("lacks hosts; write yours, like \(preset.hostExample)")
        }
        return preset.hosts.compactMap { host in (try? HostPattern(host)).map { ($0, presetValue) } }
    }

    private static func accounts(_ section: Section, mayBeEmpty: Bool) -> [(name: String, value: Value)] {
        guard let value = mayBeEmpty ? section["accounts"] : section.required("accounts") else { return [] }
        guard let accounts = mayBeEmpty ? value.sectionOrEmpty() : value.section() else { return [] }
        let members = accounts.members(isName: Account.isUsable)
        if members.isEmpty, !mayBeEmpty { value.reportAtKey("is empty; at least one is needed") }
        if let first = members.first(where: { $0.value.isSettingOfAccount }) {
            first.value.reportAtKey(
                "is a setting of an account, not the name of one; indent it below the "
                    + "account's name"
            )
        }
        accounts.finish()
        return members
    }
}

extension Value {
    /// Indicates whether the value stands where an account's does, and its key is one that accounts have: `token: …`
    /// beside `default:`.
    fileprivate var isSettingOfAccount: Bool {
        guard let key = steps.last?.name, let keys = SettingWords.keys(of: "apis.NAME.accounts.NAME"),
            keys.contains(key)
        else { return false }
        return !isNull && !keys.contains { node[$0] != nil }
    }

    fileprivate func preset() -> Preset? {
        guard let name = word() else { return nil }
        if let preset = Preset.named(name) { return preset }
        if let near = Preset.name(near: name) {
            report("is not \(ShownName.word(name, near: near)); did you mean \(near)?")
        } else {
            report("names no preset; `paraph presets` lists them: \(alternatives(Preset.all.map(\.name)))")
        }
        return nil
    }
}
