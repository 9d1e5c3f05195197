import Bytes
import OAuthSigning
import SignatureComparison

extension BaseStringParting {
    /// The place where they part, in a few words; without values, which may be nobody else's business.
    var place: String {
        switch part {
        case .method: return "the method"
        case .uri: return "the address (scheme, host, port or path)"
        case .parameters: break
        }
        switch (Self.name(theirs), Self.name(ours)) {
        case (let theirs?, let ours?) where theirs == ours: return "the value of parameter \(theirs)"
        case (let theirs?, let ours?): return "parameter \(theirs) there, parameter \(ours) here"
        case (let theirs?, nil): return "parameter \(theirs), which is not signed here"
        case (nil, let ours?): return "parameter \(ours), which is not signed there"
        case (nil, nil): return "character \(offset + 1)"
        }
    }

    private static func name(_ parameter: String?) -> String? {
        parameter.map { condensed($0.prefix { $0 != "=" }, limit: 60) }
    }
}
