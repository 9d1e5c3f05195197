import Bytes
import ForwardProxy
import Logging
import NIOCore
import Synchronization

/// The log handler for what `paraph exec` says on standard error, among the command's own lines: a line for a person,
/// and only while the command runs.
struct ExecLogHandler: LogHandler {
    /// Ends the saying, for all that log through it.
    final class Gate: Sendable {
        private let isOpen = Atomic<Bool>(true)
        private let write: @Sendable (ByteBuffer) -> Void

        init(write: @escaping @Sendable (ByteBuffer) -> Void = { LogSink.standardError.write($0) }) {
            self.write = write
        }

        func close() { isOpen.store(false, ordering: .relaxed) }
        func pass(_ line: String) {
            guard isOpen.load(ordering: .relaxed) else { return }
            write(ByteBuffer(string: "\(PrintableText(line, escapesQuotes: false))\n"))
        }
    }

    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    private let gate: Gate

    init(level: Logger.Level, gate: Gate) {
        logLevel = level
        self.gate = gate
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var fields = metadata
        if let more = event.metadata { fields.merge(more) { _, new in new } }
        let words = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        gate.pass("paraph: \(event.message)" + (words.isEmpty ? "" : " (\(words.joined(separator: "; ")))"))
    }
}
