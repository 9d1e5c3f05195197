import Bytes
import HTTP1Codec
import NIOCore
import Routing

/// A request that is over, or a tunnel, before it became an exchange: what is known of it.
struct EarlyRequest {
    /// The head; nil when none could be read.
    var head: RequestHead?
    /// The time at which its head had come.
    var start: NIODeadline
    /// The client's; nil when it is not known.
    var address: SocketAddress?
    /// The index of its API in the settings; nil: a host of none, or not known.
    var api: Int?
    /// The name of the configured client that sent it; nil when it is not known.
    var client: String?
    /// The destination; nil where only its head tells.
    var authority: Authority?
    /// The scheme of a request that came through TLS, or to a gateway; nil where its target has the scheme.
    var scheme: URIScheme?
    /// The wait for a tunnel's other end.
    var connection: ExchangeRecord.Wait?
    var connectTimes: ConnectTimes?

    init(_ head: RequestHead?, at start: NIODeadline, from address: SocketAddress?) {
        self.head = head
        self.start = start
        self.address = address
    }

    /// The record of what was observed of the request.
    var record: ExchangeRecord {
        var record = ExchangeRecord(start: start)
        record.connection = connection
        record.connectTimes = connectTimes
        return record
    }
}

@available(*, unavailable)
extension EarlyRequest: Sendable {}
