import Inspection
import NIOCore

/// A request-target as it is shown: its path and its query, each bounded, and without what may be secret.
struct ShownTarget {
    private let path: ByteBufferView
    private let query: ByteBufferView?

    /// - Parameter target: In origin-form; empty where none could be read.
    init(_ target: ByteBufferView) {
        path = target.prefix { $0 != UInt8(ascii: "?") }
        query = path.endIndex < target.endIndex ? target[path.endIndex...].dropFirst() : nil
    }

    /// - Parameter limit: The most bytes of it.
    func path(upTo limit: Int) -> ByteBufferView {
        let path = path.prefix(2 * limit)
        guard !Redaction.isPlain(path: ByteBuffer(path).readableBytesUInt8Span) else { return path.prefix(limit) }
        let text = Redaction.path(String(decoding: path, as: UTF8.self))
        return ByteBuffer(string: text).readableBytesView.prefix(limit)
    }

    /// - Parameter limit: The most characters of it.
    /// - Returns: Nil where there is none.
    func query(upTo limit: Int) -> Substring? {
        query.map { Redaction.query(String(decoding: $0.prefix(2 * limit), as: UTF8.self)).prefix(limit) }
    }
}
