/// An exchange's hold on its upstream, or its wait for one.
enum ExchangeUpstream {
    /// The exchange has no stream, and waits for none.
    case none
    case awaitingToken(TokenWait)
    /// The exchange waits for a connection: with the opening of one for it alone; nil where others may have it.
    case awaitingConnection(ClientDial?)
    case leased(any UpstreamStream)

    var stream: (any UpstreamStream)? {
        if case .leased(let stream) = self { stream } else { nil }
    }

    /// Gives up what is waited for.
    func giveUpWaiting() {
        switch self {
        case .awaitingToken(let wait): wait.cancel()
        case .awaitingConnection(let dial): dial?.giveUp()
        case .none, .leased: break
        }
    }
}
