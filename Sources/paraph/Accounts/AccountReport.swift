import Bytes
import Credentials
import ForwardProxy
import FoundationEssentials
import ParaphConfiguration
import Routing
import Settings
import UpstreamTrust

/// The facts that are told of a stored credential: all but its secrets.
struct AccountReport {
    private static let longestValue = 100
    private static let longestName = 512

    let name: CredentialName
    let credential: StoredCredential
    /// Indicates whether an account of the configuration uses it.
    let isUsed: Bool
    /// The use that the account of its name makes of credentials.
    let use: CredentialUse

    /// API and account, parted by a tab.
    static func line(_ name: CredentialName) -> String {
        "\(condensed(name.api, limit: longestName))\t\(condensed(name.account, limit: longestName))"
    }

    /// API, account, kind of token, when it was stored and how, and whether it is not used; parted by tabs.
    var line: String {
        let fields = [Self.line(name), kind, Self.time(credential.obtainedAt), credential.origin.rawValue]
        return (fields + (isUsed ? [] : ["not used"])).joined(separator: "\t")
    }

    /// A paragraph of lines.
    var text: String {
        var members = [
            ("API", condensed(name.api, limit: Self.longestName)),
            ("account", condensed(name.account, limit: Self.longestName)),
            ("token", kind),
            ("stored", "\(Self.time(credential.obtainedAt)), by \(origin)"),
        ]
        if !isUsed { members.append(("used", "no: \(credential.unusableReason(for: use))")) }
        if case .access(let token) = credential.token {
            members.append(("expires", token.expiresAt.map { Self.time($0) } ?? "not known"))
            members.append(("refresh token", token.refreshToken == nil ? "none" : "kept"))
        }
        if let login = credential.login {
            members.append(("user name", "\(condensed(login.username, limit: Self.longestValue)), with its password"))
        }
        var lines = members.map { name, value in "\(name): \(value)" }
        if !credential.attributes.isEmpty {
            lines.append("said by the provider:")
            lines += credential.attributes.sorted { $0.key < $1.key }.map { name, value in
                "    \(condensed(name, limit: Self.longestValue)): \(condensed(value, limit: Self.longestValue))"
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The names alone, in full.
    static func members(_ name: CredentialName) -> [(key: String, value: JSONText)] {
        [("api", .string(name.api)), ("account", .string(name.account))]
    }

    /// An object with all of it. What is not known, or not there, is null.
    var json: JSONText {
        let access: AccessToken? = if case .access(let token) = credential.token { token } else { nil }
        return .object(
            Self.members(name) + [
                ("token", .string(access == nil ? "oauth1" : "access")),
                ("stored", .string(Self.time(credential.obtainedAt))),
                ("origin", .string(credential.origin.rawValue)),
                ("used", .boolean(isUsed)),
                ("reason", .string(isUsed ? nil : credential.unusableReason(for: use))),
                ("expires", .string(access?.expiresAt.map { Self.time($0) })),
                ("refresh_token", .boolean(access.map { $0.refreshToken != nil })),
                ("user_name", .string(credential.login?.username)),
                (
                    "attributes",
                    .object(credential.attributes.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
                ),
            ]
        )
    }

    private var kind: String {
        switch credential.token {
        case .oauth1: "OAuth 1.0a token"
        case .access: "access token"
        }
    }

    private var origin: String {
        switch credential.origin {
        case .exchange: "an exchange"
        case .login: "paraph login"
        case .enrolment: "enrolment"
        }
    }

    private static func time(_ seconds: UInt64) -> String {
        UTCText.format(Date(timeIntervalSince1970: TimeInterval(seconds)))
    }
}

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
