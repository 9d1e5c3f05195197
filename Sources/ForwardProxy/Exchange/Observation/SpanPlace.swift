import Bytes
import HTTP1Codec
import NIOCore
import OpenTelemetry
import Routing
import Tracing

/// The method and the server of a request, as OpenTelemetry's conventions for HTTP have them in spans.
struct SpanPlace {
    private let method: String
    /// The method as it came, where it is none of those that the conventions know.
    private let originalMethod: String?
    /// The host; empty where none could be read.
    private let host: String
    /// The authority; nil where none could be read.
    private let authority: Authority?
    private let defaultPort: Int

    /// - Parameter defaultPort: The port of an authority that names none.
    init(_ summary: RequestSummary, defaultPort: Int) {
        let known = RequestMethod(bytes: summary.method.readableBytesUInt8Span)
        method = known.label
        let original = String(decoding: summary.method.readableBytesView.prefix(64), as: UTF8.self)
        originalMethod = known == .other && !original.isEmpty ? original : nil
        authority = try? Authority(parsing: summary.authority, defaultPort: defaultPort)
        host = authority?.host ?? summary.authority
        self.defaultPort = defaultPort
    }

    /// The name of the request's span.
    var name: String { method == RequestMethod.other.label ? "HTTP" : method }

    func describeMethod(of span: RecordingSpan) {
        span.attributes["http.request.method"] = method
        if let originalMethod { span.attributes["http.request.method_original"] = originalMethod }
    }

    func describeServer(of span: RecordingSpan) {
        if !host.isEmpty { span.attributes["server.address"] = host }
        if let authority { span.attributes["server.port"] = authority.port }
    }

    /// Returns the URL of a request, without its query.
    ///
    /// - Parameter path: As it may be shown.
    func url(_ scheme: URIScheme?, _ path: String?) -> String? {
        guard let scheme, let authority, let path else { return nil }
        return "\(scheme.rawValue)://\(authority.fieldValue(defaultPort: defaultPort))\(path == "*" ? "" : path)"
    }
}
