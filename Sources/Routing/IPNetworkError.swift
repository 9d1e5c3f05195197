/// The reason why a text is no CIDR prefix.
package enum IPNetworkError: Error, Hashable, Sendable, CustomStringConvertible {
    case notAnAddress
    case badPrefixLength(maximum: Int)
    case bitsBeyondPrefix(meant: String)

    package var description: String {
        switch self {
        case .notAnAddress:
            "is not a network; write it like 10.0.0.0/8 or fe80::/10"
        case .badPrefixLength(let maximum):
            "needs a number from 0 to \(maximum) after the slash"
        case .bitsBeyondPrefix(let meant):
            "has bits set beyond its prefix; write \(meant)"
        }
    }
}
