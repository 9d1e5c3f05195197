/// The parts of a URL in a value, as programs cut it.
struct URLParts {
    let origin: String
    let host: String
    let path: String
    let pathAndQuery: String

    init(_ text: String) {
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            (origin, host, path, pathAndQuery) = (text, text, text, text)
            return
        }
        let authority = parts[1].prefix { !"/?#".contains($0) }
        let rest = parts[1].dropFirst(authority.count)
        origin = "\(parts[0])://\(authority)"
        host = String(authority)
        path = String(rest.prefix { !"?#".contains($0) })
        pathAndQuery = String(rest.prefix { $0 != "#" })
    }
}
