/// The part of a signature that a deviation is about, in the order in which a signer comes to it: what is read before
/// what is written.
enum DeviationGroup: Int, Comparable, Sendable {
    case method
    case scheme
    case host
    case path
    case selection
    case reading
    case names
    case values
    case characters
    case sent
    case escaping
    case order
    case text
    case firstSecret
    case secondSecret
    case bothSecrets
    case key

    static func < (one: DeviationGroup, other: DeviationGroup) -> Bool { one.rawValue < other.rawValue }

    /// Indicates whether a signer may well do two things of it.
    private var allowsTwo: Bool {
        switch self {
        case .selection, .sent, .escaping, .path, .key: true
        case .method, .scheme, .host, .reading, .names, .values, .characters, .order, .text, .firstSecret,
            .secondSecret,
            .bothSecrets:
            false
        }
    }

    /// Indicates whether deviations of two groups can come together.
    func combines(with other: DeviationGroup) -> Bool {
        if self == other { return allowsTwo }
        if self == .bothSecrets { return other == .key }
        return other != .bothSecrets || self == .key || self < .firstSecret
    }
}
