import Glibc
import NIOCore
import NIOPosix

/// TCP's own probes of a silent connection (RFC 9293, section 3.8.4).
///
/// A long poll is silent for minutes. Probes keep what is on its way, like address translators, from forgetting it, and
/// find out that the other machine is gone long before a generous time limit does.
enum KeepAlive {
    private static let seconds: [(name: NIOBSDSocket.Option, value: Int)] = [
        (NIOBSDSocket.Option(rawValue: TCP_KEEPIDLE), 60),
        (NIOBSDSocket.Option(rawValue: TCP_KEEPINTVL), 20),
    ]

    /// Sets the probing of the connections that a listener accepts: they inherit its options.
    static func probe(acceptedBy bootstrap: ServerBootstrap) -> ServerBootstrap {
        seconds.reduce(bootstrap.serverChannelOption(.socketOption(.so_keepalive), value: 1)) {
            $0.serverChannelOption(.tcpOption($1.name), value: $1.value)
        }
    }

    static func probe(madeBy bootstrap: ClientBootstrap) -> ClientBootstrap {
        seconds.reduce(bootstrap.channelOption(.socketOption(.so_keepalive), value: 1)) {
            $0.channelOption(.tcpOption($1.name), value: $1.value)
        }
    }
}
