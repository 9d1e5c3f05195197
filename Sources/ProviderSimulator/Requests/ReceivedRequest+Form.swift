import OAuthSigning

extension ReceivedRequest {
    /// The pairs of a form body; none of another body.
    package var form: FormPairs {
        let contentType = Array((values(of: "content-type").first ?? "").utf8)
        return FormPairs(isFormMediaType(contentType.span) ? body : [])
    }
}
