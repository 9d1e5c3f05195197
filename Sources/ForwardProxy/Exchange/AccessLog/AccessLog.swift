import Logging
import NIOCore

/// The access log of one event loop: a line for each request, written in batches.
///
/// The times in the lines are those of the requests' ends. ``LogSink`` brings the lines of all event loops into their
/// order.
final class AccessLog {
    private static let batch = 16 * 1024
    /// The time for which lines are gathered.
    static let delay = HeldLines.gatherTime
    /// Bytes of a path, and of a query, that a line has.
    private static let longestPath = 1024

    private let loop: any EventLoop
    private let output: AccessLogOutput?
    private var lines = ByteBuffer()
    private var times: [LogLine] = []
    private var isScheduled = false
    private let clock: any ProxyClock
    private var timestamp = LogClock()

    /// - Parameter output: Nil when the log's level is above that of the lines.
    init(loop: any EventLoop, clock: any ProxyClock, output: AccessLogOutput?) {
        self.loop = loop
        self.clock = clock
        self.output = output
    }

    var isOn: Bool { output != nil }

    func append(_ summary: borrowing RequestSummary) {
        guard let output else { return }
        let target = summary.shownTarget
        let path = target.path(upTo: Self.longestPath)
        let query = output.includesQuery ? target.query(upTo: Self.longestPath) : nil
        let now = clock.wallTime
        let start = lines.readableBytes
        switch output.style {
        case .json:
            lines.writeStaticString("{\"time\":\"")
            timestamp.write(now, into: &lines)
            lines.writeStaticString("\",\"level\":\"info\",\"message\":\"request\"")
            JSONAccessLine.write(summary, path: path, query: query, into: &lines)
        case .text, .terminal:
            var line = TextAccessLine(isColoured: output.style.isColoured, lines)
            lines = ByteBuffer()
            line.writeTime { timestamp.write(now, into: &$0, omitsDate: output.style.omitsDate) }
            line.write(summary, path: path, query: query)
            lines = line.take()
        }
        times.append(LogLine(time: now, length: lines.readableBytes - start))
        finishLine()
    }

    private func finishLine() {
        if lines.readableBytes >= Self.batch { return flush() }
        guard !isScheduled else { return }
        isScheduled = true
        clock.schedule(in: Self.delay, on: loop) { [self] in
            isScheduled = false
            flush()
        }
    }

    /// Returns a logger whose lines follow those of the requests that ended before, where it is called on this event
    /// loop.
    func ordering(_ logger: Logger) -> Logger {
        guard isOn else { return logger }
        var ordered = logger
        ordered.handler = OrderedLogHandler(logger.handler, accessLog: NIOLoopBound(self, eventLoop: loop))
        return ordered
    }

    func flush() {
        guard lines.readableBytes > 0 else { return }
        output?.sink.write(lines, times)
        lines.clear()
        times.removeAll(keepingCapacity: true)
    }
}

@available(*, unavailable)
extension AccessLog: Sendable {}
