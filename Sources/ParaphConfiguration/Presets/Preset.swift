package import Bytes
package import Credentials
package import OAuthSigning
package import Routing

/// The facts that are known of a provider, to fill what a configuration leaves out (`preset: NAME`).
package struct Preset: Sendable {
    /// The value of `preset`.
    package let name: String
    /// The provider's name for a person.
    package let title: String
    /// The first is the one that addresses are made from. Empty: every customer has a host of their own.
    package var hosts: [String] = []
    /// An example of such a host.
    package var hostExample = ""
    package var options = SigningOptions()
    /// The signature methods that the provider takes, the preset's own first.
    package var signatureMethods: [SignatureMethod]
    /// The rule by which the realm follows from the host; nil: there is none.
    package var realm: RealmRule?
    package var timestamps = TimestampMode.wall
    /// The ways to a token that the provider has, the usual one first.
    package var ways: [AccountKind]
    package var threeLegged: ThreeLeggedAddresses?
    /// The addresses of the exchanges of `reverse_auth` and `xauth`.
    package var directExchange: DirectExchangeAddresses?
    package var callback = ThreeLeggedSettings.Callback.loopback
    /// Indicates whether a callback must be registered with the provider, so that none on a free port is taken.
    package var needsRegisteredCallback = false
    /// Parameters of the authorization address, a value of each, and what the provider does without it.
    package var authorizeParameters: [(name: String, example: String, consequence: String)] = []
    /// The trouble that clients have whatever the configuration says: a sentence, which `paraph check` tells.
    package var caveat: String?
    /// Further oddities of the provider, a sentence or two each.
    package var notes: [String] = []
    /// The documentation that all this was read in.
    package let source: String

    package struct ThreeLeggedAddresses: Sendable {
        package let requestToken: PresetAddress
        package let authorize: PresetAddress
        package let accessToken: PresetAddress
    }

    package struct DirectExchangeAddresses: Sendable {
        package let requestToken: PresetAddress
        package let accessToken: PresetAddress
    }

    package enum RealmRule: Sendable {
        /// The account id, in capitals and with `_` for `-`, from a host that begins with it.
        case netSuiteAccount
    }
}

extension Preset {
    /// The presets, in the order that `paraph presets` lists them.
    package static let all: [Preset] = [
        twitter, discogs, netSuite, mastercard, magento, wooCommerce, flickr, tumblr, trello, smugMug, jira, confluence,
    ]

    package static func named(_ name: String) -> Preset? { all.first { $0.name == name } }

    /// The name that a mistyped one was probably meant to be.
    package static func name(near word: String) -> String? { NearestWord.to(word, among: all.map(\.name)) }
}

extension Preset {
    /// The provider that one of these hosts is known to be of.
    static func owning(_ hosts: [HostPattern]) -> Preset? {
        if hosts.contains(where: { $0.netSuiteAccount != nil }) { return netSuite }
        let names = Set(hosts.map(\.description))
        return all.first { preset in preset.hosts.contains(where: names.contains) }
    }
}

/// An address that a preset fills in, where need be from the API's first host.
package enum PresetAddress: Sendable {
    /// A path on the API's first host.
    case path(String)
    /// A whole URL.
    case url(String)
    /// `https://ACCOUNT.app.netsuite.com/…`: this path there, for the account that the API's first host begins with.
    case netSuiteApplication(path: String)

    /// Returns the address; nil when the first host is none that it can be made from.
    package func url(firstHost: HostPattern?, scheme: URIScheme) -> String? {
        switch self {
        case .url(let url):
            return url
        case .path(let path):
            guard let firstHost, case .exact = firstHost.name else { return nil }
            return "\(scheme.rawValue)://\(firstHost)\(path)"
        case .netSuiteApplication(let path):
            return firstHost?.netSuiteAccount.map { "https://\($0.label).app.netsuite.com\(path)" }
        }
    }
}

/// The ways to an account's token, by the key that each is written with.
package enum AccountKind: String, Sendable, CaseIterable {
    case token
    case threeLegged = "three_legged"
    case reverseAuth = "reverse_auth"
    case xAuth = "xauth"
    case twoLegged = "two_legged"
    case password
}
