import NIOCore

/// How long the head of the response is waited for.
extension Exchange {
    /// To be called when the whole request is out.
    func awaitResponse() {
        client.awaitResponse(for: responseTime)
    }

    /// An interim response has come, which says that the upstream is at work: from then on it may be silent for as long
    /// as in the midst of a body, or longer where its API says so.
    func announced() {
        guard machine.isAwaitingResponseHead else { return client.progress() }
        client.awaitResponse(for: max(responseTime, worker.settings.timeouts.idle))
    }

    private var responseTime: TimeAmount {
        let general = worker.settings.timeouts.responseHeader
        guard let account = route.account else { return general }
        return worker.apis[account.api].settings.responseHeaderTimeout ?? general
    }

    /// The setting that gives that time, or more of it.
    var responseTimeSetting: String {
        guard let account = route.account else { return "timeouts.response_header" }
        return "apis.\(worker.apis[account.api].settings.name).timeouts.response_header"
    }
}
