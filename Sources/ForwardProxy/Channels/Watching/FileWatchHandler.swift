import NIOCore

/// Reads the events of inotify(7), and tells when those that count have been followed by a time of quiet.
final class FileWatchHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = Never

    private let clock: any ProxyClock
    private let names: WatchedNames
    private let settled: () -> Void
    private var quiet: Scheduled<Void>?
    private var loop: (any EventLoop)?

    init(clock: any ProxyClock, names: WatchedNames, settled: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.names = names
        self.settled = settled
    }

    func handlerAdded(context: ChannelHandlerContext) {
        loop = context.eventLoop
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        quiet?.cancel()
        loop = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        var counts = false
        while let event = InotifyEvent(from: &buffer) { counts = names.count(event) || counts }
        // Bytes that are left are not what the kernel gives: who knows what is missing.
        if counts || buffer.readableBytes > 0 { awaitQuiet() }
    }

    /// Begins the time of quiet, anew where it has begun.
    func awaitQuiet() {
        quiet?.cancel()
        quiet = loop.map { loop in clock.schedule(in: FileWatcher.quietTime, on: loop) { [settled] in settled() } }
    }
}

@available(*, unavailable)
extension FileWatchHandler: Sendable {}
