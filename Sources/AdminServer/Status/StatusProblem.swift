import Bytes

/// Something that is wrong, and what to do.
package struct StatusProblem: Equatable, Sendable, Decodable {
    package enum Severity: String, Sendable, Decodable {
        /// Something does not work.
        case error
        /// Everything works, but will not for long, or something was lost.
        case warning
    }

    package enum Kind: String, Sendable, Decodable, CaseIterable {
        case notReady = "not_ready"
        case reloadRefused = "reload_refused"
        case vaultUnreadable = "vault_unreadable"
        /// Changes that other replicas store are not seen.
        case changesUnseen = "changes_unseen"
        /// Two keys open the vault.
        case rekeyUnfinished = "rekey_unfinished"
        /// The configuration's key opens the vault no more.
        case vaultKeyReplaced = "vault_key_replaced"
        case accountNeedsLogin = "account_needs_login"
        case accountUnusable = "account_unusable"
        case exchangeFailed = "exchange_failed"
        case providerRefuses = "provider_refuses"
        case certificateRefused = "certificate_refused"
        case pinsReported = "pins_reported"
        case nameNotFound = "name_not_found"
        case upstreamUnreachable = "upstream_unreachable"
        case tlsFailed = "tls_failed"
        case noResponse = "no_response"
        case authorityExpires = "authority_expires"
        case authorityReach = "authority_reach"
        case listenerCertificateExpires = "listener_certificate_expires"
        case clientCertificateExpires = "client_certificate_expires"
        case pinsExpire = "pins_expire"
        case noBackupPin = "no_backup_pin"
        case clockApart = "clock_apart"
        /// A finding of `paraph check`.
        case configuration
        case connectionsUsedUp = "connections_used_up"
        case heldBytesUsedUp = "held_bytes_used_up"
        case filesTooFew = "files_too_few"
        case logLinesDropped = "log_lines_dropped"
    }

    package var severity: Severity
    package var kind: Kind
    /// The API that it concerns; nil when it concerns no API alone.
    package var api: String?
    package var account: String?
    /// The problem in sentences for a person.
    package var message: String
    /// The remedy: a command to type, or a sentence.
    package var remedy: String

    package init(
        _ severity: Severity,
        _ kind: Kind,
        api: String? = nil,
        account: String? = nil,
        _ message: String,
        remedy: String
    ) {
        self.severity = severity
        self.kind = kind
        self.api = api
        self.account = account
        self.message = message
        self.remedy = remedy
    }

    var json: JSONText {
        .object([
            ("severity", .string(severity.rawValue)), ("kind", .string(kind.rawValue)), ("api", .string(api)),
            ("account", .string(account)), ("message", .string(message)), ("remedy", .string(remedy)),
        ])
    }
}
