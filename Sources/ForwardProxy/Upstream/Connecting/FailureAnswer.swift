/// The answer to a request whose upstream has failed: a row in the tables of ``UpstreamFailure`` and
/// ``UpstreamProxyFailure``.
struct FailureAnswer {
    /// Sentences for a person who asked for an authority.
    typealias Sentences = (_ authority: String) -> String

    let status: Int
    /// The error (RFC 9209, section 2.3), which also is the word for metrics.
    let token: ProxyErrorToken
    /// The trouble that the host is in; nil: the failure does not lie with it.
    let trouble: UpstreamTrouble.Kind?
    private let retryAfter: Int?
    private let detail: Sentences
    private let summary: Sentences?
    private let reason: (() -> String)?

    /// - Parameters:
    ///   - retryAfter: The time after which a client may try again, in seconds.
    ///   - summary: The text for `Proxy-Status`; nil: the first line of `detail`.
    ///   - reason: The reason why another proxy could not be connected to, where it met with this: a sentence.
    init(
        _ status: Int,
        _ token: ProxyErrorToken,
        _ trouble: UpstreamTrouble.Kind?,
        retryAfter: Int? = nil,
        detail: @escaping Sentences,
        summary: Sentences? = nil,
        reason: (() -> String)? = nil
    ) {
        self.status = status
        self.token = token
        self.trouble = trouble
        self.retryAfter = retryAfter
        self.detail = detail
        self.summary = summary
        self.reason = reason
    }

    func problem(authority: String) -> Problem {
        Problem(
            status: status,
            token: token,
            detail: detail(authority),
            summary: summary?(authority),
            retryAfter: retryAfter
        )
    }

    /// The reason why another proxy could not be connected to, where it met with this: a sentence.
    var reasonAtProxy: String { reason?() ?? "the connection failed." }
}
