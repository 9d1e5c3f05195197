import Crypto
import FoundationEssentials
import OAuthSigning

/// All that says whose a credential is and where it may go: how it is obtained, for which user, by which client, from
/// which endpoints and to what extent, and the hosts of the API that it is sent to; and their address, where nothing
/// else says that they are there.
///
/// A stored credential is used only by an account with the binding that it was obtained under. Secrets take no part: a
/// password or a client secret that has changed makes nobody of a user else.
package struct CredentialBinding: Sendable, Equatable {
    /// The kind of its source.
    private let kind: String
    /// The user, as the source names one; empty where it does not.
    private let user: [String]
    /// The consumer key or client id; empty where there is none.
    private let client: String
    private let endpoints: [String]
    private let hosts: [String]
    private let address: String?
    /// The extent that was asked for: the scope, or the parameters of the page where the user agreed; empty where that
    /// is left open.
    private let extent: [String]

    /// The binding of an account of the configuration; nil when it keeps no credential in the vault.
    /// - Parameters:
    ///   - hosts: The API's, each with its scheme and port, in any order.
    ///   - address: The configured address of the hosts' server, if that is not verified under their names by a public
    ///     authority; nil otherwise.
    package init?(_ account: AccountSettings, scheme: AuthorizationScheme, hosts: [String], address: String? = nil) {
        switch account.source {
        case .issued, .twoLegged, .bearer: return nil
        case .reverseAuth(let settings):
            kind = "reverse_auth"
            user = [settings.signedAs.client.identifier, settings.signedAs.token.token]
            endpoints = [settings.requestTokenURL, settings.accessTokenURL]
        case .xAuth(let settings):
            kind = "xauth"
            user = [settings.login.username]
            endpoints = [settings.accessTokenURL]
        case .threeLegged(let settings):
            kind = "three_legged"
            user = []
            endpoints = [settings.requestTokenURL, settings.authorizeURL, settings.accessTokenURL]
        case .password(let login):
            kind = "password"
            user = [login.username]
            endpoints = Self.tokenEndpoint(scheme)
        }
        client = Self.client(scheme, account.oauth1)
        self.hosts = hosts.sorted()
        self.address = address
        extent = Self.extent(scheme, account.source)
    }

    /// The binding of every account that is enrolled with an API. The user is the account's name, so that where that
    /// was confirmed, and by which member of the answer, says whose the credential is.
    /// - Parameters:
    ///   - target: The place where the API's claims are verified; nil: nowhere.
    ///   - hosts: As above.
    ///   - address: As above.
    package init(
        enrolledWith scheme: AuthorizationScheme,
        verifiedBy target: EnrolmentSettings.Target?,
        hosts: [String],
        address: String? = nil
    ) {
        kind = "enrolment"
        user = []
        client = Self.client(scheme, nil)
        let verification = target.flatMap { target in target.verifyURL.map { [$0, target.idMember] } }
        endpoints = Self.tokenEndpoint(scheme) + (verification ?? [])
        self.hosts = hosts.sorted()
        self.address = address
        extent = Self.extent(scheme, nil)
    }

    private static func client(_ scheme: AuthorizationScheme, _ own: OAuth1Settings?) -> String {
        switch scheme {
        case .oauth1(let shared): (own ?? shared).client.identifier
        case .oauth2(let settings): settings.clientID
        case .bearer: ""
        }
    }

    private static func tokenEndpoint(_ scheme: AuthorizationScheme) -> [String] {
        guard case .oauth2(let settings) = scheme else { return [] }
        return [settings.tokenURL]
    }

    private static func extent(_ scheme: AuthorizationScheme, _ source: TokenSource?) -> [String] {
        if case .threeLegged(let settings) = source {
            return settings.authorizeParameters.flatMap { [$0.name, $0.value] }
        }
        guard case .oauth2(let settings) = scheme, let scope = settings.scope else { return [] }
        return [scope]
    }

    /// Every part with its length before it, so that no two bindings have the same bytes. A part that is absent adds
    /// none: fingerprints from before there was one stay valid.
    var bytes: Data {
        var bytes = Data()
        let address = self.address.map { [[$0]] } ?? []
        let extent = self.extent.isEmpty ? [] : [["extent"] + self.extent]
        for part in [[kind], user, [client], endpoints, hosts] + address + extent {
            bytes.append(bigEndian: UInt64(part.count))
            for text in part {
                bytes.append(bigEndian: UInt64(text.utf8.count))
                bytes.append(contentsOf: text.utf8)
            }
        }
        return bytes
    }
}

/// A keyed hash of a ``CredentialBinding`` (HMAC-SHA256), as a stored credential carries it. The key is the
/// credential's own: two that were obtained alike have nothing in common.
package struct BindingFingerprint: Sendable, Equatable {
    static let keyCount = 16
    static let codeCount = 32

    let key: [UInt8]
    let code: [UInt8]

    init(key: [UInt8], code: [UInt8]) {
        self.key = key
        self.code = code
    }

    package init(_ binding: CredentialBinding) {
        key = (0..<Self.keyCount).map { _ in UInt8.random(in: .min ... .max) }
        code = Array(HMAC<SHA256>.authenticationCode(for: binding.bytes, using: SymmetricKey(data: key)))
    }

    package func matches(_ binding: CredentialBinding) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: binding.bytes, using: SymmetricKey(data: key))
    }
}
