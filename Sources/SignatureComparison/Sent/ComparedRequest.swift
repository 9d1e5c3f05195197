import OAuthSigning

/// Our request in the parts that are signed, as bytes.
struct ComparedRequest: Sendable {
    let method: [UInt8]
    let scheme: [UInt8]
    /// The authority of the Host field; where there is none, that of the URL.
    let authority: [UInt8]
    /// The authority of the URL.
    let addressed: [UInt8]
    /// The user information of the URL, without the `@`; nil where it has none.
    let userInformation: [UInt8]?
    let target: [UInt8]
    /// The fragment of the URL, without the `#`.
    let fragment: [UInt8]
    let contentType: [UInt8]?
    let body: [UInt8]

    init(_ request: ExplainableRequest) throws(ExplainError) {
        if request.method.isEmpty { throw .methodMissing }
        guard let uri = AbsoluteURI(Array(request.url.utf8).span) else { throw .noAbsoluteURL }
        method = Array(request.method.utf8)
        scheme = uri.scheme
        addressed = uri.authority
        authority = request.host.map { Array($0.utf8) } ?? uri.authority
        userInformation = Self.userInformation(of: Array(request.url.utf8), scheme: uri.scheme)
        target = uri.target
        fragment = Array(request.url.utf8.drop { $0 != UInt8(ascii: "#") }.dropFirst())
        contentType = request.contentType.map { Array($0.utf8) }
        body = request.body ?? []
    }

    /// The bytes after the first `?`.
    var query: [UInt8] { Array(target.dropFirst(target.span.pathCount + 1)) }

    private static func userInformation(of url: [UInt8], scheme: [UInt8]) -> [UInt8]? {
        let authority = url.dropFirst(scheme.count + 3).prefix { !"/?#".utf8.contains($0) }
        return authority.lastIndex(of: UInt8(ascii: "@")).map { Array(authority[..<$0]) }
    }

    var isForm: Bool { contentType.map { isFormMediaType($0.span) } ?? false }
}
