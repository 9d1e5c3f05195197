/// The reason why a certificate was revoked (RFC 5280, section 5.3.1).
package enum RevocationReason: Int, Sendable {
    case unspecified = 0
    case keyCompromise = 1
    case caCompromise = 2
    case affiliationChanged = 3
    case superseded = 4
    case cessationOfOperation = 5
    case certificateHold = 6
    case privilegeWithdrawn = 9
    case aaCompromise = 10

    var words: String {
        switch self {
        case .unspecified: "no reason given"
        case .keyCompromise: "its key may be known to others"
        case .caCompromise: "its authority's key may be known to others"
        case .affiliationChanged: "its owner has another affiliation"
        case .superseded: "it has been superseded"
        case .cessationOfOperation: "it is no longer needed"
        case .certificateHold: "it is on hold"
        case .privilegeWithdrawn: "a privilege in it was withdrawn"
        case .aaCompromise: "its attribute authority may be compromised"
        }
    }
}
