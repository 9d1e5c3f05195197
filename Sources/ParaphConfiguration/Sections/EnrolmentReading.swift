import Credentials
import OAuthSigning
import Routing
import Settings

/// `enrolment`
enum EnrolmentReading {
    /// The APIs that it names, before anything of it is checked.
    static func apis(_ root: Section) -> Set<String> {
        guard let types = root["enrolment"]?.node["access_types"], case .mapping(let mapping) = types.content else {
            return []
        }
        return Set(mapping.compactMap { $0.value["api"]?.scalar?.text })
    }

    /// Returns whether it has a token, before that is read.
    static func hasToken(_ root: Section) -> Bool {
        guard let enrolment = root["enrolment"], let node = enrolment.node["token"] else { return false }
        return !enrolment.member("token", node, keyPosition: node.position).isNull
    }

    /// Returns the token alone; nil when it has none, or when a mistake was reported.
    static func token(_ root: Section) -> Secret? {
        guard hasToken(root) else { return nil }
        return root.section("enrolment")?["token"]?.bearerToken()
    }

    /// - Returns: `nil` also when a mistake was reported.
    static func read(_ root: Section, drafts: [APIDraft], admin: ListenAddress?) -> EnrolmentSettings? {
        guard let section = root.section("enrolment") else { return nil }
        defer { section.finish() }
        let token = section["token"].flatMap { $0.isNull ? nil : $0.bearerToken() }
        if admin == nil {
            section.value.reportAtKey("needs the admin listener, which is off; give listen.admin an address")
        }
        guard let types = section.required("access_types")?.section() else { return nil }
        var targets: [EnrolmentAccessType: EnrolmentSettings.Target] = [:]
        let members = types.members { Int($0) != nil && $0.utf8.count <= 2 }
        types.finish()
        if members.isEmpty { types.value.reportAtKey("is empty; name at least one of 0, 1 and 2") }
        for member in members {
            guard let type = Int(member.name).flatMap(EnrolmentAccessType.init), "\(type.rawValue)" == member.name
            else {
                member.value.reportAtKey(
                    "is no access type; there are 0 (user name and password), 1 (bearer token) and 2 (OAuth 1.0a token)"
                )
                continue
            }
            targets[type] = member.value.section().flatMap { readTarget($0, type: type, drafts: drafts) }
        }
        return EnrolmentSettings(token: token, targets: targets)
    }

    private static func readTarget(
        _ section: Section,
        type: EnrolmentAccessType,
        drafts: [APIDraft]
    ) -> EnrolmentSettings.Target? {
        defer { section.finish() }
        let draft = section.required("api")?.draft(among: drafts, type: type)
        let urlValue = section["verify_url"]
        let idValue = section["id"]
        if type != .password, urlValue == nil {
            section.value.reportAtKey("lacks verify_url, which says whose token it is")
        }
        if urlValue == nil, type == .password {
            idValue?.reportAtKey("is of no use without verify_url, whose answer it is looked for in")
        }
        let id = idValue.map { $0.word() } ?? "id"
        guard let draft else { return nil }
        let url = urlValue.map { ExchangeAddresses(route: draft.route, preset: nil).url($0) }
        guard let id, type == .password || url != nil, url.map({ $0 != nil }) ?? true else { return nil }
        return EnrolmentSettings.Target(api: draft.route.index, verifyURL: url ?? nil, idMember: id)
    }
}

extension EnrolmentAccessType {
    /// The kind that an API must be of for its claims.
    fileprivate var kind: SchemeReading.Kind {
        switch self {
        case .password: .oauth2
        case .bearer: .bearer
        case .oauth1: .oauth1
        }
    }
}

extension Value {
    fileprivate func draft(among drafts: [APIDraft], type: EnrolmentAccessType) -> APIDraft? {
        guard let name = word() else { return nil }
        guard let draft = drafts.first(where: { $0.route.name == name }) else {
            report("names no API\(Self.correction(of: name, among: drafts.map(\.route.name)))")
            return nil
        }
        if let kind = draft.kind, kind != type.kind {
            report(
                "names an API that is \(kind.rawValue); access type \(type.rawValue) needs one that is \(type.kind.rawValue)"
            )
            return nil
        }
        return draft
    }
}
