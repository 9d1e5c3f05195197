package import Dispatch
import Files
import Glibc
package import NIOCore
import Synchronization
package import SystemPackage

/// The destination of log lines: a file descriptor that all event loops write whole lines to.
///
/// A pipe or a terminal that nobody reads makes whoever writes to it wait. So that is done on a thread of its own:
/// lines wait in a queue of bounded size, and those that do not fit are dropped, counted and told, as are those that
/// cannot be written. A file takes lines at once, where that is what the descriptor was from the beginning; another
/// one, which ``redirect(to:whenUnwritable:)`` names, may be on a slow disk, and is written to by the thread as well.
///
/// Lines that come with their times are held for a moment, wherever they go, and written in the order of these.
package final class LogSink: Sendable {
    /// Bytes of lines that wait to be written.
    package static let waitingLimit = 1 << 20
    /// Bytes of lines that are held for their order; beyond that all of them are due.
    private static let heldLimit = waitingLimit / 2

    private struct Queue {
        var lines = ByteBuffer()
        var held = HeldLines()
        var isBeingWritten = false
        /// Indicates whether writing begins by itself when what is held is due.
        var isTimed = false
        var tellsLoss: (@Sendable (Int) -> Void)?
        /// The destination that takes the place of the one of now.
        var newDestination: Destination?
    }

    private struct Destination {
        var descriptor: SystemPackage.FileDescriptor
        /// Indicates whether the descriptor is closed when it is done with.
        var closes: Bool
        /// Indicates whether the last thing there is the beginning of a line whose rest could not be written.
        var endsWithinLine = false
        var tellsFailure: (@Sendable (Errno) -> Void)?

        func close() {
            if closes { try? descriptor.close() }
        }
    }

    private let queue = Mutex(Queue())
    /// The destination, which whoever writes holds: to a pipe or a terminal the sink's own thread alone.
    private let destination: Mutex<Destination>
    private let writesAtOnce: Atomic<Bool>
    private let writer = DispatchQueue(label: "paraph.log")
    private let dropped = Atomic<Int>(0)
    /// Lines that were dropped since that was told.
    private let untold = Atomic<Int>(0)

    /// - Parameters:
    ///   - descriptor: Stays open for the life of the sink.
    ///   - closes: Whether it is closed at the end of that.
    package init(descriptor: Int32, closes: Bool = false) {
        let file = SystemPackage.FileDescriptor(rawValue: descriptor)
        destination = Mutex(Destination(descriptor: file, closes: closes))
        writesAtOnce = Atomic((try? Directory.stamp(of: file))?.isRegularFile == true)
    }

    deinit {
        destination.withLock { $0.close() }
        queue.withLock { $0.newDestination?.close() }
    }

    package static let standardError = LogSink(descriptor: STDERR_FILENO)
    /// The destination of the log of this process: standard error, unless it is redirected.
    package static let process = LogSink(descriptor: STDERR_FILENO)

    /// Sends lines elsewhere from now on. Those that wait are written to the one or to the other.
    ///
    /// - Parameters:
    ///   - descriptor: Is closed when it is done with, unless it is standard error.
    ///   - tell: Is given the error when lines cannot be written there, whose number is told later.
    package func redirect(
        to descriptor: Int32,
        whenUnwritable tell: (@Sendable (Errno) -> Void)? = nil
    ) {
        writesAtOnce.store(false, ordering: .relaxed)
        let closes = descriptor != STDERR_FILENO
        let (begins, unused) = queue.withLock { queue in
            let unused = queue.newDestination
            queue.newDestination = Destination(
                descriptor: SystemPackage.FileDescriptor(rawValue: descriptor),
                closes: closes,
                tellsFailure: tell
            )
            defer { queue.isBeingWritten = true }
            return (!queue.isBeingWritten, unused)
        }
        unused?.close()
        if begins { writer.async { [self] in writeWaiting() } }
    }

    /// The number of lines that were dropped so far.
    package var droppedLines: Int { dropped.load(ordering: .relaxed) }

    /// - Parameter tell: Is given the number of lines that were dropped, once others have been written. It may log a
    ///   line.
    package func whenLinesAreLost(_ tell: @escaping @Sendable (Int) -> Void) {
        queue.withLock { $0.tellsLoss = tell }
    }

    /// Writes whole lines, or has them written soon, behind those that are held. What cannot be written (a closed pipe, a full disk) is dropped.
    package func write(_ lines: ByteBuffer) {
        if writesAtOnce.load(ordering: .relaxed) {
            var all = queue.withLock { $0.held.take(at: nil) } ?? ByteBuffer()
            all.writeImmutableBuffer(lines)
            if writeNow(all) { tellLoss() }
            return
        }
        let begins = queue.withLock { queue in
            guard hasRoom(for: lines, queue) else { return false }
            if let held = queue.held.take(at: nil) { queue.lines.writeImmutableBuffer(held) }
            queue.lines.writeImmutableBuffer(lines)
            defer { queue.isBeingWritten = true }
            return !queue.isBeingWritten
        }
        if begins { writer.async { [self] in writeWaiting() } }
    }

    /// Takes whole lines, which are written soon, in the order of their times.
    ///
    /// - Parameter times: All of the lines, in the order of the bytes.
    package func write(_ lines: ByteBuffer, _ times: [LogLine]) {
        let begins = queue.withLock { queue in
            guard hasRoom(for: lines, queue) else { return false }
            queue.held.append(lines, times, at: .now())
            guard !queue.isBeingWritten else { return false }
            if queue.held.byteCount < Self.heldLimit {
                awaitDue(&queue)
                return false
            }
            queue.isBeingWritten = true
            return true
        }
        if begins { writer.async { [self] in writeWaiting() } }
    }

    private func hasRoom(for lines: ByteBuffer, _ queue: borrowing Queue) -> Bool {
        let waiting = queue.lines.readableBytes + queue.held.byteCount
        if waiting + lines.readableBytes <= Self.waitingLimit { return true }
        drop(lines)
        return false
    }

    /// Sets a timer to write what is held when it is due.
    private func awaitDue(_ waiting: inout Queue) {
        guard !waiting.isTimed, let due = waiting.held.due else { return }
        waiting.isTimed = true
        let time = max(0, (due - .now()).nanoseconds)
        writer.asyncAfter(deadline: .now() + .nanoseconds(Int(time))) { [self] in
            queue.withLock { queue in
                queue.isTimed = false
                queue.isBeingWritten = true
            }
            writeWaiting()
        }
    }

    /// Waits until all that was written by now has left, but not for long.
    /// - Returns: Whether it has.
    @discardableResult
    package func finish(within time: DispatchTimeInterval = .seconds(1)) -> Bool {
        let isDone = DispatchSemaphore(value: 0)
        queue.withLock { queue in
            guard let held = queue.held.take(at: nil) else { return }
            queue.lines.writeImmutableBuffer(held)
            queue.isBeingWritten = true
        }
        writer.async { [self] in
            writeWaiting()
            isDone.signal()
        }
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
        if let new = queue.withLock({ $0.newDestination.take() }) {
            let old = destination.withLock { destination in
                defer { destination = new }
                return destination
            }
            old.close()
        }
        return queue.withLock { queue in
            if let due = queue.held.take(at: queue.held.byteCount < Self.heldLimit ? .now() : nil) {
                queue.lines.writeImmutableBuffer(due)
            }
            guard queue.lines.readableBytes > 0 else {
                queue.isBeingWritten = queue.newDestination != nil
                if !queue.isBeingWritten { awaitDue(&queue) }
                return queue.isBeingWritten ? ByteBuffer() : nil
            }
            defer { queue.lines = ByteBuffer() }
            return queue.lines
        }
    }

    /// - Returns: False when some of the lines could not be written.
    private func writeNow(_ lines: ByteBuffer) -> Bool {
        let (count, error, tell) = destination.withLock { destination -> (Int, Errno?, (@Sendable (Errno) -> Void)?) in
            let descriptor = destination.descriptor
            if destination.endsWithinLine {
                // A line that was cut takes no other one with it.
                let newline: [UInt8] = [UInt8(ascii: "\n")]
                if let error = descriptor.write(newline.span).error { return (0, error, destination.tellsFailure) }
                destination.endsWithinLine = false
            }
            let (count, error) = descriptor.write(lines.readableBytesUInt8Span)
            let last: UInt8? = count > 0 ? lines.getInteger(at: lines.readerIndex + count - 1) : nil
            if let last { destination.endsWithinLine = last != UInt8(ascii: "\n") }
            return (count, error, destination.tellsFailure)
        }
        guard count < lines.readableBytes, let error else { return true }
        var rest = lines
        rest.moveReaderIndex(forwardBy: count)
        drop(rest)
        tell?(error)
        return false
    }
}
