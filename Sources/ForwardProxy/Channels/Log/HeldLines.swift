import NIOCore

/// Log lines of several writers that are held until none can come any more that belongs before them: they are written in
/// the order of their times.
///
/// Whoever gathers lines hands each over within ``gatherTime``. So when a line has been here for longer, all lines with
/// earlier times have come, unless an event loop has not run for the rest of ``holdTime``.
struct HeldLines {
    /// The time for which lines are gathered before they come here; with ``holdTime`` less than 100 ms.
    static let gatherTime = TimeAmount.milliseconds(30)
    static let holdTime = TimeAmount.milliseconds(65)

    private struct Batch {
        let bytes: ByteBuffer
        let lines: [LogLine]
        let arrival: NIODeadline
        /// The latest time in it.
        let last: WallTime
    }

    private struct Place {
        let time: WallTime
        let range: Range<Int>
        let batch: Int
    }

    /// The batches in the order in which they came.
    private var batches: [Batch] = []
    private(set) var byteCount = 0

    /// The time at which the first of them has been held for long enough; nil when there are none.
    var due: NIODeadline? { batches.first.map { $0.arrival + Self.holdTime } }

    /// - Parameter lines: All of them, in the order of the bytes.
    mutating func append(_ bytes: ByteBuffer, _ lines: [LogLine], at arrival: NIODeadline) {
        guard let last = lines.map(\.time).max() else { return }
        batches.append(Batch(bytes: bytes, lines: lines, arrival: arrival, last: last))
        byteCount += bytes.readableBytes
    }

    /// Takes the lines that are due, and those that belong before them, in the order of their times.
    ///
    /// - Parameter now: The time; nil: all are due.
    mutating func take(at now: NIODeadline?) -> ByteBuffer? {
        let isDue = { (batch: Batch) in now.map { batch.arrival + Self.holdTime <= $0 } ?? true }
        guard let limit = batches.prefix(while: isDue).map(\.last).max() else { return nil }
        if batches.count == 1, let batch = batches.first {
            batches = []
            byteCount = 0
            return batch.bytes
        }
        var places: [Place] = []
        var kept: [Batch] = []
        for (index, batch) in batches.enumerated() {
            var start = batch.bytes.readerIndex
            var rest: [LogLine] = []
            var restBytes = ByteBuffer()
            for line in batch.lines {
                let range = start..<(start + line.length)
                start = range.upperBound
                if line.time <= limit {
                    places.append(Place(time: line.time, range: range, batch: index))
                } else if let slice = batch.bytes.getSlice(at: range.lowerBound, length: range.count) {
                    rest.append(line)
                    restBytes.writeImmutableBuffer(slice)
                }
            }
            guard !rest.isEmpty else { continue }
            kept.append(Batch(bytes: restBytes, lines: rest, arrival: batch.arrival, last: batch.last))
        }
        // Lines of the same time stay in the order in which they came.
        let order = places.indices.sorted { (places[$0].time, $0) < (places[$1].time, $1) }
        var taken = ByteBuffer()
        taken.reserveCapacity(byteCount)
        for index in order {
            let place = places[index]
            let bytes = batches[place.batch].bytes
            guard let slice = bytes.getSlice(at: place.range.lowerBound, length: place.range.count) else { continue }
            taken.writeImmutableBuffer(slice)
        }
        batches = kept
        byteCount -= taken.readableBytes
        return taken
    }
}

/// The time of a line of the log, and its bytes with the line feed.
package struct LogLine: Sendable {
    let time: WallTime
    let length: Int

    package init(time: WallTime, length: Int) {
        self.time = time
        self.length = length
    }
}
