extension SigningOptions {
    /// Whether a body takes part in the signature (as a form, or because a hash of it is due), so that it must be
    /// collected before the head can be sent. The same for every account that signs this way, token or none.
    package func needsBody(contentType: Span<UInt8>?, hasBody: Bool) -> Bool {
        guard hasBody else { return false }
        guard let contentType, isFormMediaType(contentType) else { return bodyHash != .off }
        return placement == .body || bodyHash == .always || signatureMethod != .plaintext
    }
}
