import NIOCore
import NIOSSL
import NIOTLS
import Synchronization

/// The bytes that one end of a connection has received, to be waited for.
final class Inbox: Sendable {
    enum End: Sendable {
        /// The peer ended its side in order.
        case clean
        /// A reset, or an end that TLS did not announce.
        case cut
    }

    struct Contents {
        var bytes = ByteBuffer()
        /// All bytes that ever came.
        var total = 0
        var end: End?
        var isSecure = false
    }

    private struct State {
        var contents = Contents()
        var changes = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter = 0
    }

    private let state = Mutex(State())

    var total: Int { state.withLock { $0.contents.total } }

    /// Indicates whether the peer has not ended its side.
    var isOpen: Bool { state.withLock { $0.contents.end == nil } }

    /// Waits until `take` finds what it looks for.
    func wait<Found: Sendable>(for take: (inout Contents) throws -> Found?) async throws -> Found {
        while true {
            try Task.checkCancellation()
            let (found, seen) = try state.withLock { (try take(&$0.contents), $0.changes) }
            if let found { return found }
            await change(since: seen)
        }
    }

    private func change(since seen: Int) async {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isNew = state.withLock { state in
                    if Task.isCancelled || state.changes != seen { return true }
                    state.waiters[waiter] = continuation
                    return false
                }
                if isNew { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume()
        }
    }

    func update(_ change: (inout Contents) -> Void) {
        let waiters = state.withLock { state in
            change(&state.contents)
            state.changes += 1
            defer { state.waiters.removeAll() }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// Fills an inbox.
final class InboxHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let inbox: Inbox
    private var wasCut = false

    init(_ inbox: Inbox) {
        self.inbox = inbox
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        inbox.update { contents in
            contents.total += bytes.readableBytes
            contents.bytes.writeBuffer(&bytes)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed: end()
        case TLSUserEvent.handshakeCompleted: inbox.update { $0.isSecure = true }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        wasCut = true
        if case NIOSSLError.uncleanShutdown = error { return }
        end()
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
    }

    private func end() {
        let end = wasCut ? Inbox.End.cut : .clean
        inbox.update { contents in
            if contents.end == nil { contents.end = end }
        }
    }
}
