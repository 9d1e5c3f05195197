import Glibc
import NIOCore

extension Channel {
    /// Whether the peer has not acknowledged all that was written, so that closing may lose it: octets that come then are
    /// answered with a reset, which drops what is still to be sent. To be called on the channel's event loop.
    var hasUnacknowledged: Bool {
        guard let provider = self as? any SocketOptionProvider else { return false }
        var hasOctets = false
        // Nine numbers of sock_diag(7), of which the sixth is what the write queue holds.
        let memory: EventLoopFuture<InlineArray<9, UInt32>> = provider.unsafeGetSocketOption(
            level: .socket,
            name: NIOBSDSocket.Option(rawValue: SO_MEMINFO)
        )
        // Answered at once on the event loop.
        memory.assumeIsolated().whenSuccess { hasOctets = $0[5] > 0 }
        return hasOctets
    }
}
