extension SigningOptions {
    /// Whether a body takes part in the signature (as a form, or because a hash of it is due), so that it must be
    /// collected before the head can be sent. The same for every account that signs this way, token or none.
    package func needsBody(contentType: Span<UInt8>?, hasBody: Bool) -> Bool {
        guard hasBody else { return false }
        guard let contentType, isFormMediaType(contentType) else { return bodyHash != .off }
        return placement == .body || bodyHash == .always || signatureMethod != .plaintext
    }

    /// `oauth_body_hash`, nil when none is due.
    func bodyHash(contentType: Span<UInt8>?, body: Span<UInt8>?) -> String? {
        let isDue =
            switch bodyHash {
            case .off: false
            case .on:
                if let contentType, isFormMediaType(contentType) { false } else { !(body?.isEmpty ?? true) }
            case .always: true
            }
        return isDue ? BodyHash.text(of: body, for: signatureMethod) : nil
    }
}
