package import Dispatch
import Glibc
package import NIOCore
import Synchronization

/// The destination of log lines: a file descriptor that all event loops write whole lines to.
///
/// A pipe or a terminal that nobody reads makes whoever writes to it wait. So that is done on a thread of its own:
/// lines wait in a queue of bounded size, and those that do not fit are dropped, counted and told, as are those that
/// cannot be written. A file takes lines at once.
package final class LogSink: Sendable {
    /// Bytes of lines that wait to be written.
    package static let waitingLimit = 1 << 20

    private struct Queue {
        var lines = ByteBuffer()
        var isBeingWritten = false
        var tellsLoss: (@Sendable (Int) -> Void)?
    }

    private let descriptor: Int32
    private let closes: Bool
    private let isFile: Bool
    private let queue = Mutex(Queue())
    /// Indicates whether the last thing there is the beginning of a line whose rest could not be written. Held by
    /// whoever writes to the descriptor: of a pipe or a terminal by its own thread alone.
    private let endsWithinLine = Mutex(false)
    private let writer = DispatchQueue(label: "paraph.log")
    private let dropped = Atomic<Int>(0)
    /// Lines that were dropped since that was told.
    private let untold = Atomic<Int>(0)

    /// - Parameters:
    ///   - descriptor: Stays open for the life of the sink.
    ///   - closes: Whether it is closed at the end of that.
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

    /// - Parameter tell: Is given the number of lines that were dropped, once others have been written. It may log a
    ///   line.
    package func whenLinesAreLost(_ tell: @escaping @Sendable (Int) -> Void) {
        queue.withLock { $0.tellsLoss = tell }
    }

    /// Writes whole lines, or has them written soon. What cannot be written (a closed pipe, a full disk) is dropped.
    package func write(_ lines: ByteBuffer) {
        if isFile {
            if writeNow(lines) { tellLoss() }
            return
        }
        let begins = queue.withLock { queue in
            guard queue.lines.readableBytes + lines.readableBytes <= Self.waitingLimit else {
                drop(lines)
                return false
            }
            queue.lines.writeImmutableBuffer(lines)
            defer { queue.isBeingWritten = true }
            return !queue.isBeingWritten
        }
        if begins { writer.async { [self] in writeWaiting() } }
    }

    /// Waits until all that was written by now has left, but not for long.
    /// - Returns: Whether it has.
    @discardableResult
    package func finish(within time: DispatchTimeInterval = .seconds(1)) -> Bool {
        let isDone = DispatchSemaphore(value: 0)
        writer.async { isDone.signal() }
        return isDone.wait(timeout: .now() + time) == .success
    }

    /// The same for tasks: waits on no thread of theirs.
    @discardableResult
    package func finish(within time: DispatchTimeInterval = .seconds(1)) async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "paraph.log.end").async { [self] in
                let isDone: Bool = finish(within: time)
                continuation.resume(returning: isDone)
            }
        }
    }

    private func writeWaiting() {
        var isWritten = false
        while let lines = next() { isWritten = writeNow(lines) }
        // Where nothing can be written, what was lost is not told either: that would be lost as well, and so on.
        if isWritten { tellLoss() }
    }

    private func drop(_ lines: ByteBuffer) {
        let count = lines.readableBytesView.count { $0 == UInt8(ascii: "\n") }
        untold.wrappingAdd(count, ordering: .relaxed)
        dropped.wrappingAdd(count, ordering: .relaxed)
    }

    private func tellLoss() {
        guard untold.load(ordering: .relaxed) > 0 else { return }
        let count = untold.exchange(0, ordering: .relaxed)
        let tell = queue.withLock { $0.tellsLoss }
        if count > 0 { tell?(count) }
    }

    /// Takes the lines that wait; nil, and the end of writing, when there are none.
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

    /// - Returns: False when some of the lines could not be written.
    private func writeNow(_ lines: ByteBuffer) -> Bool {
        let rest = endsWithinLine.withLock { endsWithinLine in
            if endsWithinLine {
                // A line that was cut takes no other one with it.
                guard writeBytes(ByteBuffer(string: "\n")).readableBytes == 0 else { return lines }
                endsWithinLine = false
            }
            let rest = writeBytes(lines)
            let count = lines.readableBytes - rest.readableBytes
            let last: UInt8? = count > 0 ? lines.getInteger(at: lines.readerIndex + count - 1) : nil
            if let last { endsWithinLine = last != UInt8(ascii: "\n") }
            return rest
        }
        guard rest.readableBytes > 0 else { return true }
        drop(rest)
        return false
    }

    /// - Returns: What could not be written.
    private func writeBytes(_ bytes: ByteBuffer) -> ByteBuffer {
        var rest = bytes
        while rest.readableBytes > 0 {
            // The pointer is used within the call only.
            let count = rest.withUnsafeReadableBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest.moveReaderIndex(forwardBy: count)
            } else if count == 0 || errno != EINTR && (errno != EAGAIN || !waitForRoom()) {
                break
            }
        }
        return rest
    }

    /// Waits until a pipe or a terminal that does not block has room: whoever shares it may have set that (O_NONBLOCK
    /// is the open file's, not the process's).
    ///
    /// - Returns: False when that cannot be waited for.
    private func waitForRoom() -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while poll(&entry, 1, -1) < 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }
}
