import Bytes
import HTTP1Codec
import Inspection
import NIOCore
import OpenTelemetry

/// All that is told of one request once it is over.
struct RequestSummary {
    var record: ExchangeRecord
    /// The time at which it was over.
    var end: NIODeadline
    /// The method; empty when none could be read.
    var method: ByteBuffer
    /// The host in lower case, and the port; empty when none could be read.
    var authority: String
    /// The scheme of what was asked for; nil for a tunnel, and where it is not known.
    var scheme: URIScheme?
    /// The request-target in origin-form; nil when none could be read.
    var target: ByteBuffer?
    var api: String?
    var account: String?
    /// The name of the configured client that sent it; nil when none are configured.
    var client: String?
    /// The client's address; nil when it has none.
    var address: IPAddress?
    /// The version that the client speaks; nil for what was no request.
    var version: HTTPVersion?
    /// The trace that it belongs to, and the span that it comes from; nil when it does not say.
    var traceParent: TraceParent?
    /// The value of its `tracestate` fields, as one; nil where it has none, or no ``traceParent`` that it could belong to.
    var traceState: String?
    /// The spans of the request; nil when it is not traced.
    var traced: TracedRequest?
    /// The way in which it ended, where the status does not tell.
    var outcome: String?
}

extension RequestSummary {
    /// The trace's name in hexadecimal; nil when the request does not say, and none begins with it.
    var traceID: String? { (traceParent?.traceID ?? traced?.traceID).map { "\($0)" } }

    /// The part of ``traceState`` that lines of the log have: printable, bounded, and without what may be a secret.
    var shownTraceState: String? {
        guard let traceState, !traceState.isEmpty else { return nil }
        let shown = Redaction.list(traceState)
        return PrintableText(shown, limit: Self.longestTraceState, escapesQuotes: false).description
    }

    /// The part of ``traceState`` that a span has: whole members alone, and none that may hold a secret.
    var spanTraceState: String {
        guard let traceState else { return "" }
        return Redaction.list(traceState).split(separator: ",").filter { member in
            !member.contains(Redaction.mark) && member.utf8.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x09 }
        }.joined(separator: ",")
    }

    /// Characters of a `tracestate` field that are shown: as many as everybody has to pass on (W3C Trace Context, section
    /// 3.3.1.5).
    private static let longestTraceState = 512

    /// The authority without the port that is the default one of the scheme.
    var shownAuthority: Substring {
        let ending =
            switch scheme {
            case .https: ":443"
            case .http: ":80"
            case nil: ""
            }
        return !ending.isEmpty && authority.hasSuffix(ending) ? authority.dropLast(ending.utf8.count) : authority[...]
    }

    var shownTarget: ShownTarget { ShownTarget((target ?? ByteBuffer()).readableBytesView) }

    /// The path alone, without what may be secret in it, as the query may be altogether.
    var path: String? {
        target.map { _ in String(decoding: shownTarget.path(upTo: 1024), as: UTF8.self) }
    }
}
