/// A URL as it is shown: the password in its user information (RFC 3986, section 3.2.1) is a secret.
struct ShownURL {
    /// The URL with an ellipsis in the password's place.
    let text: String
    /// The URL without the user information, which is not sent as part of it.
    let bare: String

    init(_ url: String) {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let authority = rest.prefix { !"/?#".contains($0) }
        guard let end = authority.lastIndex(of: "@") else {
            (text, bare) = (url, url)
            return
        }
        let start = url[..<authority.startIndex]
        bare = String(start + url[url.index(after: end)...])
        guard let colon = authority[..<end].firstIndex(of: ":") else {
            text = url
            return
        }
        text = String(start + url[start.endIndex...colon]) + "…" + url[end...]
    }
}
