import Credentials
import ForwardProxy
import ParaphConfiguration
import Settings

/// The account to get a token for, and how.
struct LoginTarget: Sendable {
    enum Way: Sendable {
        case threeLegged(ThreeLeggedSettings, OAuth1Settings)
        case exchange(TokenExchange)
    }

    let name: CredentialName
    /// The API's place in the configuration.
    let apiIndex: Int
    let way: Way
    /// The binding that the token is obtained under.
    let binding: CredentialBinding
    /// Indicates whether the provider's clock is followed when it refuses this machine's.
    let correctsClock: Bool

    init(api: String, account: String, in configuration: Configuration) throws(LoginError) {
        guard let index = configuration.proxy.apis.firstIndex(where: { $0.name == api }) else {
            throw .unknownAPI(api, known: configuration.proxy.apis.map(\.name))
        }
        let settings = configuration.proxy.apis[index]
        guard let found = settings.accounts.first(where: { sameBytes($0.name, account) }) else {
            throw .unknownAccount(account, api: api, known: settings.accounts.map(\.name))
        }
        name = CredentialName(api: api, account: account)
        apiIndex = index
        guard let way = Self.way(of: found, settings.scheme),
            let binding = settings.binding(of: found)
        else { throw .nothingToObtain(account: account) }
        self.binding = binding
        self.way = way
        correctsClock = Self.oauth1(of: found, settings.scheme)?.correctsClock ?? false
    }

    /// - Throws: ``LoginError/enrolled(api:account:)`` when the place of the token in the vault is taken by what was
    ///   enrolled, which is not replaced unasked.
    func checkPlace(in vault: any CredentialStore) async throws(LoginError) {
        guard let stored = try? await vault.load(name), stored.origin == .enrolment else { return }
        throw .enrolled(api: name.api, account: name.account)
    }

    /// Returns the way to a token; nil for an account whose token is written in the configuration, or is none.
    private static func way(of account: AccountSettings, _ scheme: AuthorizationScheme) -> Way? {
        if case .threeLegged(let settings) = account.source, let oauth1 = oauth1(of: account, scheme) {
            return .threeLegged(settings, oauth1)
        }
        return TokenExchange(account, scheme: scheme, stored: nil).map { .exchange($0) }
    }

    private static func oauth1(of account: AccountSettings, _ scheme: AuthorizationScheme) -> OAuth1Settings? {
        guard case .oauth1(let api) = scheme else { return nil }
        return account.oauth1 ?? api
    }
}
