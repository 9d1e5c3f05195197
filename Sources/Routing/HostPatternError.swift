/// The reason why a text is no host pattern.
package enum HostPatternError: Error, Hashable, Sendable, CustomStringConvertible {
    case misplacedWildcard
    case wildcardTooWide
    case wildcardAddress
    case authority(AuthoritySyntaxError)

    /// Words on what is wrong, to follow the text itself.
    package var description: String {
        switch self {
        case .misplacedWildcard:
            "may have one star, and only as the whole first label: \"*.example.com\""
        case .wildcardTooWide:
            "would claim every host of a top-level domain; name at least two labels after the star"
        case .wildcardAddress:
            "puts a star before an address; list the addresses one by one"
        case .authority(let error):
            error.description
        }
    }
}
