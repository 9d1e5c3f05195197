import NIOCore

/// The bytes that are to be sent, in storage that is used again once whoever took them has let go of it.
struct FrameOutput: Sendable {
    private var storage = ByteBuffer()
    private var isTaken = false

    var isEmpty: Bool { isTaken || storage.readableBytes == 0 }

    /// To write into; positions in it hold from the first write on until it is taken.
    var buffer: ByteBuffer {
        _read { yield storage }
        _modify {
            if isTaken {
                isTaken = false
                storage.clear()
            }
            yield &storage
        }
    }

    /// - Parameter keepingAtMost: Storage with more bytes than that is given away for good.
    mutating func take(keepingAtMost capacity: Int) -> ByteBuffer {
        if isEmpty { return ByteBuffer() }
        let taken = storage
        if taken.capacity <= capacity {
            isTaken = true
        } else {
            storage = ByteBuffer()
        }
        return taken
    }
}
