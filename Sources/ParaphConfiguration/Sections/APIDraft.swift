import Credentials
import OAuthSigning
import Routing
import UpstreamTrust

/// An API as far as it could be read: enough for what concerns several APIs, even if some of it is wrong.
struct APIDraft {
    let route: APIRoute
    /// `nil` only when a mistake was reported.
    let configuration: APIConfiguration?
    private let connectTo: (target: Authority, value: Value)?
    private let hostValues: [Value]

    /// `apis`
    static func readAll(_ root: Section) -> [APIDraft] {
        guard let value = root.required("apis") else { return [] }
        guard !value.isNull else {
            value.reportAtKey("is empty; at least one API is needed")
            return []
        }
        guard let section = value.section() else { return [] }
        let members = section.members
        section.finish()
        if members.isEmpty { value.reportAtKey("is empty; at least one API is needed") }
        let drafts = members.enumerated().compactMap { APIDraft($1.value, name: $1.name, index: $0) }
        for conflict in APITable.conflicts(in: drafts.map(\.route)) {
            // Indices of APIs that could not be read at all are left out, so the position is not the index.
            guard let draft = drafts.first(where: { $0.route.index == conflict.secondAPIIndex }) else { continue }
            draft.hostValues[conflict.secondIndex].report(
                conflict.firstAPI == conflict.secondAPI
                    ? "is listed already, as \(conflict.first)"
                    : "claims \(conflict.second), which apis.\(conflict.firstAPI) claims too (\(conflict.first)); a host "
                        + "and port belong to one API"
            )
        }
        return drafts
    }

    func checkConnectTarget(against networks: NetworkPolicy) {
        guard let connectTo, let address = connectTo.target.address, !networks.permits(address) else { return }
        connectTo.value.report("is in one of access.denied_networks; add it to access.allowed_networks if it is meant")
    }

    /// `apis.NAME`
    private init?(_ value: Value, name: String, index: Int) {
        value.checkAPIName(name)
        guard let section = value.section() else { return nil }
        defer { section.finish() }
        let hosts = section.required("hosts").map { $0.hostPatterns() } ?? []
        let scheme = section["upstream"]?.choice(of: UpstreamScheme.self) ?? .https
        let accountsSection = section.required("accounts")?.section()
        let accounts = accountsSection?.members ?? []
        if let accountsSection, accounts.isEmpty {
            accountsSection.value.reportAtKey("is empty; at least one is needed")
        }
        accountsSection?.finish()
        route = APIRoute(
            index: index,
            name: name,
            hosts: hosts.map(\.pattern),
            accounts: accounts.map(\.name),
            upstreamScheme: scheme,
            paths: section["paths"]?.pathPrefixes(),
            methods: section["methods"]?.methods()
        )
        hostValues = hosts.map(\.value)
        connectTo = section["connect_to"].flatMap { value in
            value.connectTarget(defaultPort: scheme.defaultPort).map { ($0, value) }
        }
        let oauth1 = section.required("oauth1")?.section().map { OAuth1Block($0, inherited: nil) }
        let oauth1Settings = oauth1?.settings()
        let route = route
        let settings = accounts.compactMap { account in
            AccountSettings.read(account.value, name: account.name, route: route, oauth1: oauth1)
        }
        let signing = section.section("signing")
        let maxBody = signing?["max_body"]?.size(0...(1 << 30))
        let existing = signing?["on_existing_authorization"]?.choice(of: ExistingAuthorization.self)
        signing?.finish()
        let tls = section.section("tls").map(TLSPolicy.read) ?? TLSPolicy()
        guard let oauth1Settings, settings.count == accounts.count else {
            configuration = nil
            return
        }
        configuration = APIConfiguration(
            route: route,
            connectTo: connectTo?.target,
            scheme: .oauth1(oauth1Settings),
            accounts: settings,
            maxBody: maxBody ?? 1 << 20,
            onExistingAuthorization: existing ?? .replace,
            tls: tls
        )
    }
}
