import HTTP1Codec
import NIOCore

/// The buffers that heads are written into, one after another.
///
/// A channel holds what is written to it until the system has taken it, which is at the end of the turn at the
/// earliest. So the buffers that one turn of the event loop has filled are kept aside, to be filled again in the next
/// one: as long as they have left by then, that costs no allocation. One that has not is left alone, and another
/// allocated.
///
/// What was sent last stays in them, Authorization fields too.
struct HeadBuffer {
    /// The size up to which a piece of a body is copied behind what precedes it, to leave in one TLS record.
    static let coalescingLimit = 16 * 1024
    /// The number of buffers that are kept aside.
    private static let limit = 64
    /// The size that they may have, in bytes.
    private static let largestKept = 16 * 1024

    /// The buffer, emptied before it is filled: it may hold what was sent in an earlier turn, or taken back.
    var bytes = ByteBuffer()
    /// First what this turn has sent, then what can be used again.
    private var aside: [ByteBuffer] = []
    private var sentCount = 0
    private var turn = 0

    /// Hands over ``bytes`` to be sent, and has others there.
    ///
    /// - Parameter turn: ``EventLoopTurn/number``.
    mutating func take(in turn: Int) -> ByteBuffer {
        let taken = bytes
        if turn != self.turn {
            self.turn = turn
            sentCount = 0
        }
        guard taken.capacity <= Self.largestKept else {
            bytes = ByteBuffer()
            return taken
        }
        // Beyond that one is allocated for each, of the same size, when this is emptied.
        guard sentCount < Self.limit else { return taken }
        if sentCount == aside.count { aside.append(ByteBuffer()) }
        swap(&bytes, &aside[sentCount])
        sentCount += 1
        return taken
    }
}

/// Buffers of one event loop that are filled anew for the head of each request.
final class HeadScratch {
    var request = HeadBuffer()
    /// The fields to append.
    var fields = AppendedFields()
}

@available(*, unavailable)
extension HeadScratch: Sendable {}
