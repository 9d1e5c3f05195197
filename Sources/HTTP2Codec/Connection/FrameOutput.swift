import NIOCore

/// The bytes that are to be sent, in storage that is used again once whoever took them has let go of it.
struct FrameOutput: Sendable {
    private var storage = ByteBuffer()
    private var isTaken = false

    var isEmpty: Bool { self.isTaken || self.storage.readableBytes == 0 }

    /// To write into; positions in it hold from the first write on until it is taken.
    var buffer: ByteBuffer {
        _read { yield self.storage }
        _modify {
            if self.isTaken {
                self.isTaken = false
                self.storage.clear()
            }
            yield &self.storage
        }
    }

    /// - Parameter keepingAtMost: Storage with more bytes than that is given away for good.
    mutating func take(keepingAtMost capacity: Int) -> ByteBuffer {
        if self.isEmpty { return ByteBuffer() }
        let taken = self.storage
        if taken.capacity <= capacity {
            self.isTaken = true
        } else {
            self.storage = ByteBuffer()
        }
        return taken
    }
}
