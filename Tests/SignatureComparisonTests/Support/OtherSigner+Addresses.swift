import SignatureComparison

@testable import OAuthSigning

extension OtherSigner {
    private static let a = "GET&https%3A%2F%2Fapi.example.com%2Fr&a%3D1%26" + ours

    /// The method and the URI of the base string.
    static let addresses: [OtherSigner] = [
        OtherSigner("GET for HEAD", .method, a) { $0.method = "HEAD" },
        OtherSigner("a method with a capital", .methodCase, "Get" + a.dropFirst(3)),
        OtherSigner("one slash behind the scheme", .scheme, "GET&https%3A%2Fapi.example.com%2Fr&a%3D1%26" + ours),
        OtherSigner(
            "a whole list of X-Forwarded-Proto",
            .scheme,
            "GET&https%2Chttp%3A%2F%2Fapi.example.com%2Fr&a%3D1%26" + ours
        ),
        OtherSigner("www for api", .host, "GET&https%3A%2F%2Fwww.example.com%2Fr&a%3D1%26" + ours),
        OtherSigner(
            "a middle segment left out",
            .pathPrefix,
            "GET&https%3A%2F%2Fapi.example.com%2Fr%2Fy&a%3D1%26" + ours
        ) { $0.url = "https://api.example.com/r/x/y?a=1" },
        OtherSigner(
            "one of two values encoded twice",
            .doubleEncoding,
            "GET&https%3A%2F%2Fapi.example.com%2Fr&a%3Dx%252520y%26b%3Dx%2520y%26" + ours
        ) { $0.url = "https://api.example.com/r?a=x%20y&b=x%20y" },
        OtherSigner(
            "a float with 17 digits",
            .valueNumber,
            "GET&https%3A%2F%2Fapi.example.com%2Fr&a%3D19.989999999999998%26" + ours
        ) { $0.url = "https://api.example.com/r?a=19.99" },
        OtherSigner("a date in seconds", .valueDate, "GET&https%3A%2F%2Fapi.example.com%2Fr&a%3D1450742400%26" + ours) {
            $0.url = "https://api.example.com/r?a=2015-12-22T00%3A00%3A00Z"
        },
        OtherSigner(
            "a nested object deep within",
            .objectAsText,
            "GET&https%3A%2F%2Fapi.example.com%2Fr&a%255Bb%255D%3D%255Bobject%2520Object%255D%26" + ours
        ) { $0.url = "https://api.example.com/r?a[b][c]=1&a[b][d]=2" },
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
