import Bytes
import Files
import ForwardProxy
import FoundationEssentials
import Logging
import NIOCore
import ParaphConfiguration
import Settings
import Synchronization
import SystemPackage

/// The destination of the private proxy's log: the standard streams are the command's.
struct ExecLog {
    let logger: Logger
    /// The destination of the access log; nil when there is none.
    let accessLog: AccessLogOutput?
    private let sink: LogSink
    private let gate = ExecLogHandler.Gate()

    /// - Parameters:
    ///   - file: Takes everything that the configuration's `log` asks for; made when it is not there. Nil: standard
    ///     error takes warnings.
    ///   - isVerbose: Whether standard error takes what the log of `paraph run` has, as text.
    /// - Throws: A sentence: the file cannot be written.
    ///   - terminal: The style of text on standard error, where that is a terminal.
    init(
        _ settings: LogSettings,
        file: String?,
        isVerbose: Bool,
        terminal: LogStyle?
    ) throws(ExecError) {
        if let file {
            let descriptor: Int32
            do throws(Errno) {
                descriptor = try FileContents.append(to: file).rawValue
            } catch {
                throw .logUnwritable(path: file, reason: error.reason)
            }
            sink = LogSink(descriptor: descriptor)
            let output = LogOutput(settings, sink: sink)
            accessLog = output.accessLog(by: settings)
            logger = output.logger()
        } else {
            sink = .standardError
            accessLog = isVerbose ? AccessLogOutput(sink: sink, style: terminal ?? .text) : nil
            logger = Logger(label: "paraph") { [gate] _ in
                ExecLogHandler(level: isVerbose ? .info : .warning, gate: gate)
            }
        }
    }

    /// The command has ended: what is cut off now is cut off on purpose, and whoever waited reads on.
    func endRemarks() { gate.close() }

    /// Writes what has not been written yet.
    func finish() async { await sink.finish() }
}

/// The log handler for what `paraph exec` says on standard error, among the command's own lines: for a person, and only
/// while the command runs.
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
            // Lines beyond the first are indented, so that none of them passes for a line of its own.
            let lines = line.split(separator: "\n", omittingEmptySubsequences: false)
                .map { "\(PrintableText($0, escapesQuotes: false))" }
            write(ByteBuffer(string: lines.joined(separator: "\n    ") + "\n"))
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
