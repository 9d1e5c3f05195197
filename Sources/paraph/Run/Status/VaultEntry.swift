import Credentials
import FoundationEssentials
import ParaphConfiguration

/// The state of an account in the vault. Keeps no secret.
enum VaultEntry: Sendable {
    case missing
    /// - Parameter expires: The time at which it expires; nil: it is not known to.
    case token(obtained: Date, expires: Date?)
    /// - Parameter reason: The reason why it is not used, and what to do: a sentence, without a full stop.
    case outdated(reason: String)
    /// - Parameter isPutBack: Whether only its removal helps.
    case unreadable(reason: String, isPutBack: Bool = false)
    /// The vault is away.
    case unknown(reason: String)

    init(_ error: VaultError) {
        self =
            error.isUnavailability
            ? .unknown(reason: "\(error)") : .unreadable(reason: "\(error)", isPutBack: error.isOfRecordPutBack)
    }

    var isUnknown: Bool { if case .unknown = self { true } else { false } }

    /// Indicates whether it is an older one that was put back.
    var isPutBack: Bool {
        if case .unreadable(_, isPutBack: true) = self { true } else { false }
    }

    /// Opens the account's credential.
    init(_ name: CredentialName, in vault: any CredentialStore, by configuration: Configuration) async {
        do throws(VaultError) {
            guard let credential = try await vault.load(name) else {
                self = .missing
                return
            }
            guard configuration.uses(credential, of: name) else {
                self = .outdated(reason: credential.unusableReason(for: configuration.credentialUse(of: name)))
                return
            }
            let obtained = Date(timeIntervalSince1970: TimeInterval(credential.obtainedAt))
            guard case .access(let token) = credential.token else {
                self = .token(obtained: obtained, expires: nil)
                return
            }
            self = .token(
                obtained: obtained,
                expires: token.expiresAt.map { Date(timeIntervalSince1970: TimeInterval($0)) }
            )
        } catch {
            self = VaultEntry(error)
        }
    }
}
