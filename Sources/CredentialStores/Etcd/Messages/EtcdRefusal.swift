import FoundationEssentials

/// etcd's answer to a request that it does not carry out.
struct EtcdRefusal: Decodable, Error {
    /// A code of gRPC.
    private let code: Int?
    private let message: String?
    private let error: String?

    /// etcd's words.
    var words: String { message ?? error ?? "it says no more" }

    /// Indicates whether the user has to be asked for again: what it was known by is over, or was of a server that has
    /// been started anew.
    var isUnauthenticated: Bool {
        code == Code.unauthenticated.rawValue || words.contains("invalid auth token")
            || words.contains("revision in auth store is old") || words.contains("revision of auth store is old")
    }

    /// Indicates whether another server may do what this one has not.
    var isOfServer: Bool { code.flatMap(Code.init) != nil && code != Code.notFound.rawValue && !isUnauthenticated }

    /// Indicates whether what was asked for names a lease that has ended.
    var isOfLease: Bool { code == Code.notFound.rawValue && words.contains("lease not found") }

    private enum Code: Int {
        case cancelled = 1
        case unknown = 2
        case deadlineExceeded = 4
        case notFound = 5
        case internalError = 13
        case unavailable = 14
        case unauthenticated = 16
    }
}
