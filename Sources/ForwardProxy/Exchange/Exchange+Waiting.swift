import NIOCore
import Routing
import Settings

/// The time for which the head of the response is awaited.
extension Exchange {
    /// To be called when the whole request is written. The time for the response begins when it has been sent.
    func awaitResponse() {
        guard machine.isAwaitingResponseHead else { return client.progress() }
        isHeldUp = stream?.holdsRequestUp == true
        if isHeldUp { client.progress() } else { client.awaitResponse(for: responseTime) }
    }

    /// The upstream has begun, or ended, to take what is written to its connection, which other requests may share.
    func noteHoldUp() {
        guard machine.isAwaitingResponseHead, isHeldUp != stream?.holdsRequestUp else { return }
        awaitResponse()
    }

    /// An interim response has come, which says that the upstream is at work: from then on it may be silent for as long
    /// as in the midst of a body, or longer where its API says so.
    func announced() {
        guard machine.isAwaitingResponseHead else { return client.progress() }
        isHeldUp = stream?.holdsRequestUp == true
        client.awaitResponse(for: max(responseTime, context.settings.timeouts.idle))
    }

    private var responseTime: TimeAmount {
        let general = context.settings.timeouts.responseHeader
        guard let api = route.api else { return general }
        return context.apis[api.index].settings.responseHeaderTimeout ?? general
    }

    /// The setting that gives that time, or more of it.
    var responseTimeSetting: String {
        guard let api = route.api else { return "timeouts.response_header" }
        return "apis.\(api.name).timeouts.response_header"
    }
}
