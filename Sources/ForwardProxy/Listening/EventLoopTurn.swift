import NIOCore

/// Puts flushes off until all that one turn of the event loop brings has been read: what many connections have to write
/// then goes out together, and peers that wait for it are woken once.
struct EventLoopTurn: Sendable {
    private final class Waiting {
        var present: ContiguousArray<any FlushedAtTurnEnd> = []
        /// Empty but for its room, while nothing is flushed.
        var due: ContiguousArray<any FlushedAtTurnEnd> = []
    }

    private let loop: any EventLoop
    private let waiting: NIOLoopBoundBox<Waiting>
    /// Made once, and not for each turn.
    private let end: @Sendable () -> Void

    init(loop: any EventLoop) {
        self.loop = loop
        let waiting = NIOLoopBoundBox.makeBoxSendingValue(Waiting(), eventLoop: loop)
        self.waiting = waiting
        end = {
            let waiting = waiting.value
            // What a flush brings about belongs to the next turn.
            swap(&waiting.present, &waiting.due)
            for connection in waiting.due { connection.flushNow() }
            waiting.due.removeAll(keepingCapacity: true)
        }
    }

    /// To be called once a turn for each connection.
    func flushAtEnd(_ connection: any FlushedAtTurnEnd) {
        let waiting = waiting.value
        waiting.present.append(connection)
        if waiting.present.count == 1 { loop.execute(end) }
    }
}
