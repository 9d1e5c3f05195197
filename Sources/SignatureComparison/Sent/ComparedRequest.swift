import OAuthSigning

/// Our request in the parts that are signed, as bytes.
struct ComparedRequest: Sendable {
    let method: [UInt8]
    let scheme: [UInt8]
    /// The authority of the Host field; where there is none, that of the URL.
    let authority: [UInt8]
    /// The authority of the URL.
    let addressed: [UInt8]
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
        target = uri.target
        fragment = Array(request.url.utf8.drop { $0 != UInt8(ascii: "#") }.dropFirst())
        contentType = request.contentType.map { Array($0.utf8) }
        body = request.body ?? []
    }

    /// The bytes after the first `?`.
    var query: [UInt8] { Array(target.dropFirst(target.span.pathCount + 1)) }

    var isForm: Bool { contentType.map { isFormMediaType($0.span) } ?? false }
}
