import Credentials
import ForwardProxy
import ParaphConfiguration
import Routing
import Settings

extension Configuration {
    /// Returns what the account of this name does with what the vault holds for it.
    func credentialUse(of name: CredentialName) -> CredentialUse {
        guard let api = proxy.apis.first(where: { sameBytes($0.name, name.api) }) else { return .unknownAPI }
        guard let account = api.accounts.first(where: { sameBytes($0.name, name.account) }) else {
            return api.route.acceptsEnrolled ? .enrolled : .unknownAccount
        }
        return api.credentialUse(of: account)
    }

    /// Returns whether the account of this name, configured or enrolled, uses a credential that the vault holds for it.
    func uses(_ credential: StoredCredential, of name: CredentialName) -> Bool {
        guard let api = proxy.apis.first(where: { sameBytes($0.name, name.api) }) else { return false }
        if let account = api.accounts.first(where: { sameBytes($0.name, name.account) }) {
            return api.binding(of: account).map(credential.isBound) ?? false
        }
        return credential.origin == .enrolment && api.route.acceptsEnrolled
            && credential.isBound(to: api.binding(enrolledBy: proxy.enrolment?.target(of: api.route.index)))
    }
}

extension AccountReport {
    /// The report on a credential in the vault of a configuration.
    init(_ name: CredentialName, _ credential: StoredCredential, in configuration: Configuration) {
        self.init(
            name: name,
            credential: credential,
            isUsed: configuration.uses(credential, of: name),
            use: configuration.credentialUse(of: name)
        )
    }
}
