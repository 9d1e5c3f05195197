import Credentials
import Routing

/// The way in which an API's requests are authorized, as far as it could be read.
struct SchemeReading {
    /// The key that was written.
    enum Kind: String, CaseIterable {
        case oauth1, oauth2, bearer

        /// The ways to a token that there are with it.
        var accountKinds: [AccountKind] {
            switch self {
            case .oauth1: [.token, .threeLegged, .reverseAuth, .xAuth, .twoLegged]
            case .oauth2: [.password]
            case .bearer: [.token]
            }
        }

        /// Advice on what to write for an account that has none.
        var advice: String {
            switch self {
            case .oauth1: "give it token and token_secret, three_legged, reverse_auth, xauth, or two_legged: true"
            case .oauth2: "give it password: {username: …, password: …}"
            case .bearer: "give it token"
            }
        }
    }

    /// The kind that is written; nil when none is, or several are.
    var kind: Kind?
    /// The value that is written for that key.
    var value: Value?
    var oauth1: OAuth1Block?
    /// The scheme that was read; nil only when a mistake was reported.
    var scheme: AuthorizationScheme?

    /// Exactly one of `oauth1`, `oauth2` and `bearer`.
    init(_ api: Section, addresses: ExchangeAddresses) {
        let given = Kind.allCases.compactMap { kind in api[kind.rawValue].map { (kind, $0) } }
        guard let (kind, value) = given.first else {
            api.value.reportAtKey("does not say how its requests are authorized; give it oauth1, oauth2 or bearer")
            return
        }
        guard given.count == 1 else {
            let words = given.map(\.0.rawValue).joined(separator: " and ")
            given.last?.1.reportAtKey("is one too many: an API has one of \(words)")
            return
        }
        self.kind = kind
        self.value = value
        switch kind {
        case .oauth1:
            oauth1 = value.section().map { section in
                OAuth1Block(section, inherited: nil, preset: addresses.preset, firstHost: addresses.route.hosts.first)
            }
            scheme = oauth1?.settings().map { .oauth1($0) }
        case .oauth2:
            scheme = value.section().flatMap { OAuth2Settings.read($0, addresses: addresses) }.map { .oauth2($0) }
        case .bearer:
            let section = value.sectionOrEmpty()
            let header = section?["header"].map { $0.headerTemplate(takesColon: false) } ?? .bearer
            section?.finish()
            scheme = section == nil ? nil : header.map { .bearer($0) }
        }
    }
}
