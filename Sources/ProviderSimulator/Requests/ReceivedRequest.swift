import OAuthSigning

/// A request as the provider received it.
///
/// Bytes that are not UTF-8 are not preserved: the HTTP server below hands the target and the fields over as text.
package struct ReceivedRequest: Sendable {
    package var method: String
    /// The request-target in origin-form, as it came.
    package var target: String
    /// The value of the Host field.
    package var authority: String
    /// The other fields, in their order.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]
    /// The protocol, such as `TLS 1.3`; nil when the request did not come through TLS.
    package var tlsVersion: String?

    package init(
        method: String,
        target: String,
        authority: String,
        fields: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        tlsVersion: String? = nil
    ) {
        self.method = method
        self.target = target
        self.authority = authority
        self.fields = fields
        self.body = body
        self.tlsVersion = tlsVersion
    }

    /// - Parameter name: The name in lower case.
    package func values(of name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name }.map(\.value)
    }

    package var path: Substring { target.prefix { $0 != "?" } }

    package var query: Substring { target.dropFirst(path.count + 1) }
}

extension ReceivedRequest {
    /// The pairs of a form body; none of another body.
    package var form: FormPairs {
        let contentType = Array((values(of: "content-type").first ?? "").utf8)
        return FormPairs(isFormMediaType(contentType.span) ? body : [])
    }
}
