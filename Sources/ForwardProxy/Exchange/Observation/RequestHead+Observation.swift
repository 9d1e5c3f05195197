import Bytes
import HTTP1Codec
import NIOCore
import OpenTelemetry
import Routing

// MARK: - What is told of a request by its head

extension RequestHead {
    /// Returns the authority that the request names, as far as it can be read, with its port; and the scheme, whose
    /// default port need not be shown: nil for a tunnel.
    ///
    /// - Parameter connection: The scheme of its connection, which a target in origin-form does not name.
    func namedAuthority(within connection: URIScheme = .https) -> (text: String, scheme: URIScheme?) {
        var text: Substring
        var scheme: URIScheme?
        switch targetForm {
        case .authority: text = Substring(String(buffer: target))
        case .absolute:
            let target = String(buffer: target)
            scheme = target.prefix { $0 != ":" }.lowercased().hasSuffix("s") ? .https : .http
            text = target.drop { $0 != "/" }.drop { $0 == "/" }.prefix { !"/?#".contains($0) }
        case .origin, .asterisk:
            scheme = connection
            text = Substring(fields.string(of: .host) ?? "-")
        }
        // Without a user's name and password.
        text = text.lastIndex(of: "@").map { text[text.index(after: $0)...] } ?? text
        guard let authority = try? Authority(parsing: String(text), defaultPort: scheme?.defaultPort ?? 443) else {
            return (text.prefix(255).lowercased(), nil)
        }
        return (authority.description, scheme)
    }

    /// The trace that the request says it belongs to. One of several that it names is none.
    var traceParent: TraceParent? {
        guard fields.contains(.traceParent) else { return nil }
        var values = fields.values(of: .traceParent)
        guard let value = values.next(), values.next() == nil else { return nil }
        return TraceParent(value.readableBytesView)
    }

    /// The value of `tracestate`, which other systems have set for that trace: all fields as one (RFC 9110,
    /// section 5.3). Nil without a trace: one that begins here does not take it over (W3C Trace Context, section 3.3).
    var traceState: String? {
        guard fields.contains(.traceState), traceParent != nil else { return nil }
        return fields.values(of: .traceState).map { String(buffer: $0) }.filter { !$0.isEmpty }.joined(separator: ",")
    }

    /// The request-target in origin-form; nil where it names no resource, or is malformed.
    var originTarget: ByteBuffer? {
        guard targetForm == .absolute else { return targetForm == .origin ? target : nil }
        let view = target.readableBytesView
        guard let colon = view.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let authority = view[colon...].dropFirst(3)
        return ByteBuffer(authority.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") })
    }

    /// The scheme that the request names itself; nil where it names none.
    var namedScheme: URIScheme? {
        if let scheme { return scheme }
        guard targetForm == .absolute else { return nil }
        return target.readableBytesUInt8Span.hasPrefixIgnoringCase("https:") ? .https : .http
    }
}
