import HTTP1Codec
import Routing

/// What an exchange tells of the health of its API.
extension Exchange {
    private var health: APIHealth? { route.api.map { context.apis[$0.index].health } }

    private var accountName: String? { route.accountReference.map { context.apis[$0.api].name(of: $0) } }

    /// A final response has come.
    func noteAnswer(_ response: ResponseHead) {
        guard let health else { return }
        if response.fields.tellsRateLimits {
            health.limited(response.fields, account: accountName, time: context.clock.coarseWallSeconds)
        }
        guard health.isTroubled else { return }
        health.answered(
            at: route.authority,
            isReused: record.isReused ?? true,
            account: response.status < 400 && authorization.ready != nil ? accountName : nil,
            time: context.clock.coarseWallSeconds
        )
    }

    /// No response has come.
    ///
    /// - Parameter problem: The reason that the client is told.
    func noteFailure(_ failure: UpstreamFailure, _ problem: Problem) {
        guard let health, let kind = failure.answer.trouble else { return }
        let sentence = String(problem.detail.prefix { !$0.isNewline })
        health.failed(kind, at: route.authority, time: context.clock.coarseWallSeconds, sentence)
    }

    /// The provider has refused the signature or the token.
    func noteRefusal(_ sentence: String, status: Int) {
        guard let health, let accountName else { return }
        health.refused(accountName, status: status, time: context.clock.coarseWallSeconds, sentence)
    }
}
