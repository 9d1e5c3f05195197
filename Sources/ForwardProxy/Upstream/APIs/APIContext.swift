import Bytes
import Credentials
import HTTP1Codec
import Logging
import OAuthSigning
import Routing
import Settings
import UpstreamTrust

/// One API as the running proxy holds it: the settings, and what is made of them once at start-up.
///
/// A class, so that a request holds one reference and not the settings' many.
final class APIContext: Sendable {
    let settings: APISettings
    /// The TLS of connections to the upstream; nil when it is reached by plain HTTP.
    let tls: UpstreamTLS?
    let clock: ProviderClock
    /// The health of its hosts: what they last told, and how they last failed.
    let health: APIHealth
    /// The binding that the credentials of enrolled accounts must have been obtained under.
    let bindingOfEnrolled: CredentialBinding
    /// The field in which the API takes its tokens; nil: Authorization.
    let tokenField: TokenField?
    /// Indicates whether a request without a body has one for the signature, for some account at least.
    let signsEmptyBodies: Bool
    /// The client that the accounts have in common that use the API's own client credentials; nil when requests are not
    /// signed.
    private let client: Result<PreparedClient, SigningError>?

    /// - Parameters:
    ///   - target: The place where the claims of its accounts are verified; nil: none can be enrolled.
    ///   - clock: The clock of the API in an earlier configuration: what was learnt of the provider's clock stays true, and
    ///     no timestamp may come twice.
    ///   - health: The health of the API in an earlier configuration, likewise.
    ///   - trust: The monitor that is told of each verification of an upstream's certificates.
    ///   - machine: This machine's clock.
    init(
        settings: APISettings,
        target: EnrolmentSettings.Target?,
        clock: ProviderClock?,
        health: APIHealth? = nil,
        trust: TrustMonitor?,
        machine: any ProxyClock
    ) throws {
        self.settings = settings
        bindingOfEnrolled = settings.binding(enrolledBy: target)
        self.clock = clock ?? ProviderClock(machine: machine)
        tokenField = Self.headerTemplate(in: settings).field
        let health = health ?? APIHealth()
        self.health = health
        signsEmptyBodies = Self.oauth1Settings(in: settings).contains { $0.options.bodyHash == .always }
        client =
            if case .oauth1(let oauth1) = settings.scheme {
                Result { () throws(SigningError) in try PreparedClient(oauth1.client, options: oauth1.options) }
            } else {
                nil
            }
        tls =
            settings.upstreamScheme == .https
            ? try UpstreamTLS(
                api: settings.name,
                policy: settings.tls,
                monitor: trust,
                health: health,
                clock: machine
            ) : nil
    }

    // Each request of a form asks for it. Asked for from outside, it has the settings copied first.
    var maxBody: Int { settings.maxBody }

    /// The identities of the API and of accounts that have their own.
    private static func oauth1Settings(in settings: APISettings) -> [OAuth1Settings] {
        guard case .oauth1(let shared) = settings.scheme else { return [] }
        return [shared] + settings.accounts.compactMap(\.oauth1)
    }

    /// Returns the settings of an account; nil for an enrolled one.
    func settings(of account: AccountReference) -> AccountSettings? {
        guard case .configured(_, let index) = account else { return nil }
        return settings.accounts[index]
    }

    func name(of account: AccountReference) -> String {
        switch account {
        case .configured(_, let index): settings.accounts[index].name
        case .enrolled(_, let name): name
        }
    }

    /// Returns the settings of an account's signatures; nil when its requests are not signed but carry an access token.
    func oauth1(of account: AccountReference) -> OAuth1Settings? {
        guard case .oauth1(let shared) = settings.scheme else { return nil }
        return settings(of: account)?.oauth1 ?? shared
    }

    /// Returns the prepared client of an account; nil when its requests are not signed, either.
    ///
    /// - Throws: When the account's requests cannot be signed with its options.
    func client(of account: AccountReference) throws(SigningError) -> PreparedClient? {
        guard let own = settings(of: account)?.oauth1 else { return try client?.get() }
        return try PreparedClient(own.client, options: own.options)
    }

    /// Returns the binding that a credential of the account must have been obtained under to be used; nil for one that
    /// keeps none in the vault.
    func binding(of account: AccountReference) -> CredentialBinding? {
        switch account {
        case .configured(_, let index): settings.binding(of: settings.accounts[index])
        case .enrolled: bindingOfEnrolled
        }
    }

    /// Returns what the account does with what the vault holds for it.
    func credentialUse(of account: AccountReference) -> CredentialUse {
        switch account {
        case .configured(_, let index): settings.credentialUse(of: settings.accounts[index])
        case .enrolled: .enrolled
        }
    }

    /// Learns the provider's clock from an answer that refused a timestamp.
    /// - Parameter offset: The provider's time minus this machine's, in seconds; nil when the answer does not tell.
    /// - Returns: Whether another timestamp is worth a try.
    func followClock(_ offset: Int64?, _ logger: Logger) -> Bool {
        // An answer that came in clear text could be anybody's.
        guard tls != nil, let offset, clock.learn(offset: offset) else { return false }
        clock.sharing.learnt()
        logger.warning(
            "the provider's clock is followed",
            metadata: ["api": "\(settings.name)", "offset_seconds": .stringConvertible(offset)]
        )
        return true
    }

    /// Takes the provider's clock from another replica.
    /// - Parameter offset: The provider's time minus this machine's, in seconds.
    /// - Returns: False when the provider has refused that before.
    func takeClock(_ offset: Int64, _ logger: Logger) -> Bool {
        guard clock.learn(offset: offset) else { return false }
        logger.warning(
            "the provider's clock is followed, as another replica has learnt it",
            metadata: ["api": "\(settings.name)", "offset_seconds": .stringConvertible(offset)]
        )
        return true
    }

    /// Forgets what was taken from another replica, which the provider has refused there.
    func dropClock(_ offset: Int64, before: Int64, _ logger: Logger) {
        guard clock.unlearn(offset: offset, before: before) else { return }
        logger.warning(
            "the provider's clock is not followed: it refused the time that another replica had learnt",
            metadata: ["api": "\(settings.name)", "offset_seconds": .stringConvertible(before)]
        )
    }

    /// Forgets what was learnt from an answer: the provider has refused that time, too.
    func unlearnClock(_ offset: Int64, before: Int64, _ logger: Logger) {
        guard clock.unlearn(offset: offset, before: before) else { return }
        clock.sharing.unlearnt()
        logger.warning(
            "the provider's clock is not followed: it refused the time of its own answer",
            metadata: ["api": "\(settings.name)", "offset_seconds": .stringConvertible(before)]
        )
    }

    /// Indicates whether the provider's clock is followed, for some account at least.
    var correctsClock: Bool { tls != nil && Self.oauth1Settings(in: settings).contains(where: \.correctsClock) }

    /// The provider's time minus this machine's, in seconds; nil where its clock is not followed, or not known yet.
    var followedOffset: Int64? { correctsClock ? clock.knownOffset : nil }

    /// The template that the token of an account stands in, when its requests carry one.
    var headerTemplate: HeaderTemplate { Self.headerTemplate(in: settings) }

    private static func headerTemplate(in settings: APISettings) -> HeaderTemplate {
        switch settings.scheme {
        case .oauth1: .bearer
        case .oauth2(let oauth2): oauth2.header
        case .bearer(let header): header
        }
    }

    /// Returns the name of the field with credentials of the client's own that a request has; nil when it has none.
    ///
    /// Beside a field of the API's own, Authorization counts as well: a request is never of two users.
    func fieldOfOwnCredentials(in head: borrowing RequestHead, on route: borrowing RequestRoute) -> String? {
        if let tokenField, !head.fields.values(named: tokenField.lowercaseName).isEmpty { return tokenField.name }
        guard head.fields.contains(.authorization), route.gateway?.consumesAuthorization != true else { return nil }
        return "Authorization"
    }

    /// Returns the command that a person runs for a new token; nil when that is not how the account gets one.
    func loginCommand(of account: AccountReference) -> String? {
        guard case .threeLegged = settings(of: account)?.source else { return nil }
        return LoginCommand.text(api: settings.name, account: name(of: account))
    }

    /// Returns whether a connection that was made for `other` leads to the same place, in the same way and as the same
    /// client. What certificates it takes is another question.
    func connectsLike(_ other: APIContext) -> Bool {
        settings.connectTo == other.settings.connectTo
            && settings.upstreamScheme == other.settings.upstreamScheme
            && settings.usesHTTP2 == other.settings.usesHTTP2
            && settings.upstreamProxy == other.settings.upstreamProxy
            && settings.tls.minimumVersion == other.settings.tls.minimumVersion
            && settings.tls.clientIdentity?.chain == other.settings.tls.clientIdentity?.chain
    }

    /// Returns the secrets that must not appear in anything that is said of the provider's answers, but for the token
    /// itself.
    func secrets(of account: AccountReference) -> [Secret] {
        if let oauth1 = oauth1(of: account) { return [oauth1.client.sharedSecret] }
        guard case .oauth2(let settings) = settings.scheme else { return [] }
        return [settings.clientSecret]
    }
}
