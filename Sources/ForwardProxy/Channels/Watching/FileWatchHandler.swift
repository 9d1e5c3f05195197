import DirectoryWatching
import NIOCore

/// Reads the events of inotify(7), and tells when those that count have been followed by a time of quiet, or go on for
/// long.
final class FileWatchHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = Never

    private let clock: any ProxyClock
    private let names: WatchedNames
    private let settled: () -> Void
    /// The end of the time of quiet, and the time by which the events since the last telling are told, whatever still
    /// happens; nil: there were none.
    private var wait: (timer: Scheduled<Void>, latest: NIODeadline)?
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
        wait?.timer.cancel()
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
        guard let loop else { return }
        let now = clock.now
        let latest = wait?.latest ?? now + FileWatcher.longestWait
        wait?.timer.cancel()
        let end = min(now + FileWatcher.quietTime, latest)
        wait = (clock.schedule(at: end, on: loop) { [weak self] in self?.settle() }, latest)
    }

    private func settle() {
        wait = nil
        settled()
    }
}

@available(*, unavailable)
extension FileWatchHandler: Sendable {}
