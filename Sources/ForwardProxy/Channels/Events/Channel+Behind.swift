import Glibc
import NIOCore

extension Channel {
    /// Bytes that were written and that the system has not taken: an answer is over for its exchange before that. To be
    /// called on the channel's event loop.
    var unsentBytes: Int { (try? syncOptions?.getOption(ChannelOptions.bufferedWritableBytes)) ?? 0 }

    /// Bytes that the peer has acknowledged since the connection began. To be called on the channel's event loop.
    var acknowledgedBytes: UInt64 {
        guard let provider = self as? any SocketOptionProvider else { return 0 }
        var acknowledged: UInt64 = 0
        // The beginning of tcp_info (linux/tcp.h), up to tcpi_bytes_acked.
        let info: EventLoopFuture<InlineArray<16, UInt64>> = provider.unsafeGetSocketOption(
            level: .tcp,
            name: NIOBSDSocket.Option(rawValue: TCP_INFO)
        )
        // Answered at once on the event loop.
        info.assumeIsolated().whenSuccess { acknowledged = $0[15] }
        return acknowledged
    }

    /// The bytes that may wait to be acknowledged by a peer that has read everything, in the kernel's memory: TCP
    /// delays acknowledgements.
    static var usuallyUnacknowledged: Int { 64 * 1024 }

    /// Indicates whether a close would lose nothing: nothing has come that is not read, and the peer has, or soon has,
    /// what was sent. What it sends after that, such as HTTP/2's windows, is answered with a reset, which drops what is
    /// still to be sent. To be called on the channel's event loop.
    var mayEndInOrder: Bool {
        let queues = queues
        return queues.unread == 0 && queues.unacknowledged <= Self.usuallyUnacknowledged
    }

    /// Bytes that were sent and that the peer has not acknowledged, in the kernel's memory. To be called on the channel's
    /// event loop.
    var unacknowledgedBytes: Int { queues.unacknowledged }

    private var queues: (unread: Int, unacknowledged: Int) {
        guard let provider = self as? any SocketOptionProvider else { return (0, 0) }
        var queues = (unread: 0, unacknowledged: 0)
        // Nine numbers of sock_diag(7): the first is what the receive queue holds, the sixth what the write queue does.
        let memory: EventLoopFuture<InlineArray<9, UInt32>> = provider.unsafeGetSocketOption(
            level: .socket,
            name: NIOBSDSocket.Option(rawValue: SO_MEMINFO)
        )
        // Answered at once on the event loop.
        memory.assumeIsolated().whenSuccess { queues = (Int($0[0]), Int($0[5])) }
        return queues
    }
}
