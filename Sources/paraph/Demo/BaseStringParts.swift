/// A signature base string (RFC 5849, section 3.4.1) taken apart for reading: put together, the parts are it again.
struct BaseStringParts {
    let method: String
    let uri: String
    /// Each but the first begins with the `&` that separates it from the one before, encoded.
    let parameters: [String]

    init(_ baseString: String) {
        let parts = baseString.split(separator: "&", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        method = parts[0]
        uri = parts.count > 1 ? parts[1] : ""
        // An ampersand inside of a value is `%2526` here.
        let pairs = parts.count > 2 ? parts[2].split(separator: "%26", omittingEmptySubsequences: false) : []
        parameters = pairs.enumerated().map { $0 == 0 ? String($1) : "%26" + $1 }
    }
}
