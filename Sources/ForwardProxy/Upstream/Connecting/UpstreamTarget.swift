import Routing

/// The destination of a request, and the rules for it: connections are shared among requests of equal targets only.
struct UpstreamTarget: Hashable {
    enum Kind: Hashable {
        /// A host of an API, by the API's index in the settings.
        case api(Int)
        /// A host of no API, reached by plain HTTP.
        case plain
    }

    var kind: Kind
    var authority: Authority
}
