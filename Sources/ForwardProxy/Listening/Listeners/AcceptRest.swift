import Glibc
import NIOCore

/// Pauses a listener when no file is to be had for another connection: it would be told of the same connection again
/// and again, and use up its processor for nothing.
final class AcceptRest: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private static let length = TimeAmount.milliseconds(100)

    private let clock: any ProxyClock
    private let onRest: (any Error) -> Void
    private var isResting = false

    /// - Parameter onRest: Called each time it begins to rest, with the reason.
    init(clock: any ProxyClock, onRest: @escaping (any Error) -> Void) {
        self.clock = clock
        self.onRest = onRest
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, Self.isShortage(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        guard !isResting else { return }
        isResting = true
        onRest(error)
        let channel = context.channel
        channel.setOption(.autoRead, value: false).whenComplete { _ in }
        clock.schedule(in: Self.length, on: context.eventLoop) { [self] in
            isResting = false
            channel.setOption(.autoRead, value: true).whenComplete { _ in }
        }
    }

    private static func isShortage(_ code: CInt) -> Bool {
        [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code)
    }
}

@available(*, unavailable)
extension AcceptRest: Sendable {}
