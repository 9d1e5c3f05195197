import NIOCore

/// Puts flushes off until all that one turn of the event loop brings has been read: what many connections have to write
/// then goes out together, and peers that wait for it are woken once.
final class EventLoopTurn {
    private final class Waiting {
        var present: ContiguousArray<any FlushedAtTurnEnd> = []
        /// The connections that are being flushed; while none is, it keeps its room.
        var due: ContiguousArray<any FlushedAtTurnEnd> = []
        var number = 0

        func flush() {
            // What a flush brings about belongs to the next turn.
            swap(&present, &due)
            for connection in due { connection.flushNow() }
            due.removeAll(keepingCapacity: true)
            number += 1
        }
    }

    private let loop: any EventLoop
    private let waiting = Waiting()
    /// The closure that ends a turn, made once, and not for each turn.
    private lazy var end: @Sendable () -> Void = {
        let waiting = NIOLoopBound(waiting, eventLoop: loop)
        return { waiting.value.flush() }
    }()

    init(loop: any EventLoop) {
        self.loop = loop
    }

    /// The number of the present turn: another one after each at whose end something was flushed.
    var number: Int { waiting.number }

    /// Flushes a connection at the end of the turn. Called once a turn for each, on the loop.
    func flushAtEnd(_ connection: any FlushedAtTurnEnd) {
        loop.assertInEventLoop()
        waiting.present.append(connection)
        if waiting.present.count == 1 { loop.execute(end) }
    }
}

@available(*, unavailable)
extension EventLoopTurn: Sendable {}

/// A connection that ``EventLoopTurn`` flushes.
protocol FlushedAtTurnEnd: AnyObject {
    /// Writes to the connection what there is.
    func flushNow()
}
