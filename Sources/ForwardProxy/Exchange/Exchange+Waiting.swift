import NIOCore

/// How long the head of the response is waited for.
extension Exchange {
    /// To be called when the whole request is written, and again when the upstream begins or ends to hold it up: the time
    /// for the response begins when it has been sent.
    func awaitResponse() {
        guard stream?.isWritable != false else { return client.progress() }
        client.awaitResponse(for: isAnnounced ? max(responseTime, worker.settings.timeouts.idle) : responseTime)
    }

    /// An interim response has come, which says that the upstream is at work: from then on it may be silent for as long
    /// as in the midst of a body, or longer where its API says so.
    func announced() {
        isAnnounced = true
        if machine.isAwaitingResponseHead { awaitResponse() } else { client.progress() }
    }

    /// Whether the upstream has taken some of what was written for it since this was asked the last time.
    func hasSentMeanwhile() -> Bool {
        let unsent = stream?.unsentOctets ?? 0
        defer { unsentBefore = unsent }
        return unsent > 0 && unsent != unsentBefore
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
