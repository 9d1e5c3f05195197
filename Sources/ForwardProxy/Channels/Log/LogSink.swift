package import Dispatch
import Glibc
package import NIOCore
import Synchronization

/// Where log lines go: a file descriptor that all event loops write whole lines to.
///
/// A pipe or a terminal that nobody reads makes whoever writes to it wait. So that is done on a thread of its own: lines
/// wait in a queue of bounded size, and those that do not fit are dropped, counted and told. A file takes lines at once.
package final class LogSink: Sendable {
    /// Bytes of lines that wait to be written.
    package static let waitingLimit = 1 << 20

    private struct Queue {
        var lines = ByteBuffer()
        var isBeingWritten = false
        /// Lines that were dropped since that was told.
        var untold = 0
        var tellsLoss: (@Sendable (Int) -> Void)?
    }

    private let descriptor: Int32
    private let closes: Bool
    private let isFile: Bool
    private let queue = Mutex(Queue())
    private let fileLock = Mutex(())
    private let writer = DispatchQueue(label: "paraph.log")
    private let dropped = Atomic<Int>(0)

    /// - Parameters:
    ///   - descriptor: stays open for the life of the sink.
    ///   - closes: whether it is closed at the end of that.
    package init(descriptor: Int32, closes: Bool = false) {
        self.descriptor = descriptor
        self.closes = closes
        var status = stat()
        isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    deinit {
        if closes { Glibc.close(descriptor) }
    }

    package static let standardError = LogSink(descriptor: STDERR_FILENO)

    /// The number of lines that were dropped so far.
    package var droppedLines: Int { dropped.load(ordering: .relaxed) }

    /// - Parameter tell: is given the number of lines that were dropped, once there is room again. It may log a line.
    package func whenLinesAreLost(_ tell: @escaping @Sendable (Int) -> Void) {
        queue.withLock { $0.tellsLoss = tell }
    }

    /// Writes whole lines, or has them written soon. What cannot be written (a closed pipe, a full disk) is lost.
    package func write(_ lines: ByteBuffer) {
        if isFile { return fileLock.withLock { _ in writeNow(lines) } }
        let begins = queue.withLock { queue in
            guard queue.lines.readableBytes + lines.readableBytes <= Self.waitingLimit else {
                let count = lines.readableBytesView.count { $0 == UInt8(ascii: "\n") }
                queue.untold += count
                dropped.wrappingAdd(count, ordering: .relaxed)
                return false
            }
            queue.lines.writeImmutableBuffer(lines)
            defer { queue.isBeingWritten = true }
            return !queue.isBeingWritten
        }
        if begins { writer.async { [self] in writeWaiting() } }
    }

    /// Waits until all that was written by now has left, but not for long.
    /// - Returns: whether it has.
    @discardableResult
    package func finish(within time: DispatchTimeInterval = .seconds(1)) -> Bool {
        let isDone = DispatchSemaphore(value: 0)
        writer.async { isDone.signal() }
        return isDone.wait(timeout: .now() + time) == .success
    }

    private func writeWaiting() {
        while let lines = next() { writeNow(lines) }
        let (count, tell) = queue.withLock { queue in
            defer { queue.untold = 0 }
            return (queue.untold, queue.tellsLoss)
        }
        if count > 0 { tell?(count) }
    }

    /// What waits; nil, and the end of writing, when nothing does.
    private func next() -> ByteBuffer? {
        queue.withLock { queue in
            guard queue.lines.readableBytes > 0 else {
                queue.isBeingWritten = false
                return nil
            }
            defer { queue.lines = ByteBuffer() }
            return queue.lines
        }
    }

    private func writeNow(_ lines: ByteBuffer) {
        var rest = lines
        while rest.readableBytes > 0 {
            // The pointer is used within the call only.
            let count = rest.withUnsafeReadableBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest.moveReaderIndex(forwardBy: count)
            } else if errno != EINTR {
                return
            }
        }
    }
}
