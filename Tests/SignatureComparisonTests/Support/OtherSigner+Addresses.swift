import SignatureComparison

@testable import OAuthSigning

extension OtherSigner {
    private static let a = "GET&https%3A%2F%2Fapi.example.com%2Fr&a%3D1%26" + ours

    /// The method and the URI of the base string.
    static let addresses: [OtherSigner] = [
        OtherSigner("GET for HEAD", .method, a) { $0.method = "HEAD" },
        OtherSigner("a method in lower case", .methodCase, "get" + a.dropFirst(3)) { $0.method = "get" },
        OtherSigner("http for https", .scheme, "GET&http%3A%2F%2Fapi.example.com%2Fr&a%3D1%26" + ours),
        OtherSigner(
            "http with a port that only https may leave out",
            .scheme,
            "GET&http%3A%2F%2Fapi.example.com%3A443%2Fr&a%3D1%26" + ours
        ) { $0.url = "https://api.example.com:443/r?a=1" },
        OtherSigner("the port of https kept", .portKept, "GET&https%3A%2F%2Fapi.example.com%3A443%2Fr&a%3D1%26" + ours)
        {
            $0.url = "https://api.example.com:443/r?a=1"
        },
        OtherSigner(
            "a port kept that no one wrote",
            .portKept,
            "GET&http%3A%2F%2Fapi.example.com%3A80%2Fr&a%3D1%26" + ours
        ) {
            $0.url = "http://api.example.com/r?a=1"
        },
        OtherSigner("another port dropped", .portDropped, a) { $0.url = "https://api.example.com:8443/r?a=1" },
        OtherSigner("a host as it is written", .hostCase, "GET&https%3A%2F%2FAPI.Example.com%2Fr&a%3D1%26" + ours) {
            $0.url = "https://API.Example.com/r?a=1"
        },
        OtherSigner("the URL's host for the Host field's", .host, a) { $0.host = "www.example.org" },
        OtherSigner(
            "a trailing slash added",
            .trailingSlash,
            "GET&https%3A%2F%2Fapi.example.com%2Fr%2F&a%3D1%26" + ours
        ),
        OtherSigner("a trailing slash dropped", .trailingSlash, a) { $0.url = "https://api.example.com/r/?a=1" },
        OtherSigner("no path for /", .trailingSlash, "GET&https%3A%2F%2Fapi.example.com&a%3D1%26" + ours) {
            $0.url = "https://api.example.com/?a=1"
        },
        OtherSigner("a path decoded", .pathNormalized, "GET&https%3A%2F%2Fapi.example.com%2Fr~s&a%3D1%26" + ours) {
            $0.url = "https://api.example.com/r%7Es?a=1"
        },
        OtherSigner("two slashes made one", .pathNormalized, a) { $0.url = "https://api.example.com//r?a=1" },
        OtherSigner("dots resolved", .pathNormalized, a) { $0.url = "https://api.example.com/x/../r?a=1" },
        OtherSigner("a path in lower case", .pathCase, a) { $0.url = "https://api.example.com/R?a=1" },
        OtherSigner("a path without its first segment", .pathPrefix, a) { $0.url = "https://api.example.com/v2/r?a=1" },
        OtherSigner(
            "a path encoded once more",
            .doubleEncoding,
            "GET&https%3A%2F%2Fapi.example.com%2Fr%252520s&a%3D1%26" + ours
        ) { $0.url = "https://api.example.com/r%20s?a=1" },
        OtherSigner(
            "a fragment left in the URI",
            .fragmentInURI,
            "GET&https%3A%2F%2Fapi.example.com%2Fr%23top&a%3D1%26" + ours
        ) { $0.url += "#top" },
        OtherSigner(
            "a fragment left in the query",
            .fragmentInURI,
            "GET&https%3A%2F%2Fapi.example.com%2Fr&a%3D1%2523top%26" + ours
        ) { $0.url += "#top" },
        OtherSigner(
            "the query left in the URI",
            .queryInURI,
            "GET&https%3A%2F%2Fapi.example.com%2Fr%3Fa%3D1&a%3D1%26" + ours
        ),
        OtherSigner(
            "the query in the URI and nowhere else",
            .queryInURI,
            "GET&https%3A%2F%2Fapi.example.com%2Fr%3Fa%3D1&" + ours
        ),
    ]
}
