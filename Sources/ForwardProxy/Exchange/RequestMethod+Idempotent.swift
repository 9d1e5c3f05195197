import HTTP1Codec

extension RequestMethod {
    /// Indicates whether a request may be sent again without knowing what became of it (RFC 9110, section 9.2.2).
    var isIdempotent: Bool {
        switch self {
        case .get, .head, .put, .delete, .options, .trace: true
        case .post, .connect, .patch, .other: false
        }
    }
}
