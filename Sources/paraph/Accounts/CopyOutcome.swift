import Bytes
import Credentials
import FoundationEssentials
import UpstreamTrust

/// The outcome of copying one credential.
enum CopyOutcome: Sendable, Equatable {
    case copied
    /// It took the place of another one.
    case replaced
    /// The same is there already.
    case present
    /// It has been removed from the source since that was listed.
    case removed
    /// Another one is there, and stays.
    /// - Parameters:
    ///   - ours: The time at which the source's was obtained, in seconds since 1970.
    ///   - theirs: The same of the one that stays.
    case different(ours: UInt64, theirs: UInt64)
    /// The record at the destination cannot be opened, and stays.
    case occupied(VaultError)
    /// Somebody else has stored or removed one meanwhile.
    case changed
    /// The source's cannot be opened.
    case unreadable(VaultError)
    /// The destination does not take it, or does not give it back.
    case refused(VaultError)

    /// A word or two for a line of the credential.
    var label: String {
        switch self {
        case .copied: "copied"
        case .replaced: "replaced"
        case .present: "there already"
        case .removed: "removed meanwhile"
        case .different: "kept, differs"
        case .occupied: "kept, cannot be opened"
        case .changed: "changed meanwhile"
        case .unreadable: "cannot be opened"
        case .refused: "not stored"
        }
    }

    /// The reason why the destination does not have what the source has, and what to do; nil when it has.
    func problem(of name: CredentialName) -> String? {
        switch self {
        case .copied, .replaced, .present, .removed: nil
        case .different(let ours, let theirs):
            "\(name) differs, and was kept: it was obtained at \(Self.time(theirs)), the source's at \(Self.time(ours)). "
                + "With --replace the source's takes its place."
        case .occupied(let error):
            "\(name) was kept though it cannot be opened; with --replace the source's takes its place. \(error)"
        case .changed: "\(name) was changed by somebody else meanwhile. Run the command again."
        case .unreadable(let error): "\(name) was not copied. \(error)"
        case .refused(let error): "\(name) was not stored. \(error)"
        }
    }

    private static func time(_ seconds: UInt64) -> String {
        UTCText.format(Date(timeIntervalSince1970: TimeInterval(seconds)))
    }
}
