/// The reason why bytes are no authority that this proxy accepts.
package enum AuthoritySyntaxError: Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    case emptyHost
    case userInformation
    case missingPort
    case badPort
    case badHost
    case badAddress
    case unbracketedIPv6
    case zoneIdentifier
    case trailingDot

    /// Words on what is wrong, to follow a name for the authority: “The host …”.
    package var description: String {
        switch self {
        case .emptyHost: "is empty"
        case .userInformation: "carries user information (the part before @), which is not accepted here"
        case .missingPort: "has no port; write HOST:PORT"
        case .badPort: "has a port that is not a number from 1 to 65535"
        case .badHost: "is not a host name; internationalized names are written in their xn-- form"
        case .badAddress: "ends in a number but is not a complete IPv4 address like 192.0.2.1"
        case .unbracketedIPv6: "is not a host name; an IPv6 address is written in brackets, [2001:db8::1]:443"
        case .zoneIdentifier: "carries an IPv6 zone, which means nothing to another machine"
        case .trailingDot: "ends in a dot; write the name without it"
        }
    }
}
