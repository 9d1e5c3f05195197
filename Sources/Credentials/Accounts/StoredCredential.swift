/// A credential as the vault keeps it: the token, what the provider said along with it, and when.
package struct StoredCredential: Sendable, Equatable {
    package var token: AccountToken
    /// The members of the provider's answer that say whose the token is, by names that are known (`user_id`,
    /// `screen_name`…), decoded. None that has a secret which is known.
    package var attributes: [String: String]
    /// The time in whole seconds since 1970-01-01T00:00:00Z.
    package var obtainedAt: UInt64
    package var origin: CredentialOrigin
    /// The login of an account enrolled with user name and password: what the grant is run with when the refresh token
    /// is refused.
    package var login: PasswordCredentials?
    /// The fingerprint of the binding that it was obtained under; nil in a file of an earlier version, which does not
    /// tell.
    package var fingerprint: BindingFingerprint?

    package init(
        token: AccountToken,
        attributes: [String: String] = [:],
        obtainedAt: UInt64,
        origin: CredentialOrigin = .exchange,
        login: PasswordCredentials? = nil,
        fingerprint: BindingFingerprint? = nil
    ) {
        self.token = token
        self.attributes = attributes
        self.obtainedAt = obtainedAt
        self.origin = origin
        self.login = login
        self.fingerprint = fingerprint
    }
}

extension StoredCredential {
    /// Returns whether an account with this binding may use it.
    package func isBound(to binding: CredentialBinding) -> Bool { fingerprint?.matches(binding) ?? false }

    /// Returns why the account that has its name does not use it, and what to do.
    package func unusableReason(for use: CredentialUse) -> String {
        let removal = "`paraph accounts remove` removes it"
        switch (use, origin) {
        case (.unknownAPI, _): return "the configuration has no API of that name; \(removal)"
        case (.unknownAccount, _):
            return "the configuration does not name the account, and has no enrolment for its API; \(removal)"
        case (.enrolled, .exchange), (.enrolled, .login):
            return "it was not enrolled, and the configuration does not name the account; \(removal)"
        case (.obtained, .enrolment):
            return "it was enrolled, and the configuration names the account now; it is kept, and no other is stored, "
                + "until \(removal)"
        case (.unneeded, _): return "the configuration says now how the account is authorized, without it; \(removal)"
        case (.enrolled, .enrolment), (.obtained, .exchange), (.obtained, .login): break
        }
        let remedy =
            switch origin {
            case .exchange: "a new one is obtained on first use"
            case .login: "run `paraph login` for a new one"
            case .enrolment: "it has to be enrolled again"
            }
        return fingerprint == nil
            ? "it was stored by an earlier version, which did not keep what it was obtained with; \(remedy)"
            : "it was obtained for other settings (kind of source, user, client, endpoints, hosts, connect_to or id) than the "
                + "configuration has now; \(remedy)"
    }

    /// The same once its refresh token may have been sent; nil where there is none that may be sent only once.
    package var withRefreshBegun: StoredCredential? {
        guard case .access(var access) = token, access.refreshToken != nil, access.refreshTokenUse == .once else {
            return nil
        }
        access.refreshToken = nil
        access.refreshTokenUse = .begun
        var credential = self
        credential.token = .access(access)
        return credential
    }

    /// The same, obtained under a binding.
    package func bound(to binding: CredentialBinding) -> StoredCredential {
        var bound = self
        bound.fingerprint = BindingFingerprint(binding)
        return bound
    }
}

/// The way in which a credential came into the vault.
package enum CredentialOrigin: String, Sendable, CaseIterable {
    /// An exchange that the proxy ran on first use, or to renew a token.
    case exchange
    /// The command `paraph login`.
    case login
    /// The request `POST /register`. Only such a credential makes an account that the configuration does not name.
    case enrolment
}

/// The use that the configuration has for a credential which the vault holds under an account's name.
package enum CredentialUse: Sendable {
    /// The configuration has no API of that name.
    case unknownAPI
    /// The configuration does not name the account, and nobody can enrol any with its API.
    case unknownAccount
    /// The configuration does not name the account: only what was enrolled makes it one.
    case enrolled
    /// The account is named, and its credential is obtained and kept in the vault.
    case obtained
    /// The account is named, and has its token, or none, in the configuration.
    case unneeded
}
