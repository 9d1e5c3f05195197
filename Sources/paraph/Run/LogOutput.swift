import Bytes
import Files
import ForwardProxy
import Glibc
import Logging
import NIOCore
import Settings
import Synchronization
import SystemPackage

/// The way in which the process's log lines are written at the moment: a reload may change it.
final class LogOutput: Sendable {
    private struct State {
        var settings: LogSettings
        var failureTold: ContinuousClock.Instant?
    }

    private static let timeBetweenFailures = Duration.seconds(60)

    let sink: LogSink
    /// The style of a log to the descriptor that the sink has from the beginning, unless the settings say otherwise.
    private let ownStyle: LogStyle
    private let isTerminal: Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - terminal: The style of text, where the sink writes to a terminal; nil: it does not.
    init(_ settings: LogSettings, sink: LogSink, terminal: LogStyle? = nil) {
        self.sink = sink
        ownStyle = terminal ?? .text
        isTerminal = terminal != nil
        state = Mutex(State(settings: settings))
    }

    var settings: LogSettings {
        get { state.withLock { $0.settings } }
        set { state.withLock { $0.settings = newValue } }
    }

    /// The destination of the access log; nil when the level is above that of its lines.
    func accessLog(by settings: LogSettings) -> AccessLogOutput? {
        guard settings.level <= .info else { return nil }
        return AccessLogOutput(
            sink: sink,
            style: style(by: settings),
            level: settings.level,
            includesQuery: settings.includesQuery
        )
    }

    func style(by settings: LogSettings) -> LogStyle {
        let format = settings.format ?? (isTerminal && settings.file == nil ? .text : .json)
        return switch format {
        case .json: .json
        case .text: settings.file == nil ? ownStyle : .text
        }
    }

    func logger() -> Logger {
        sink.whenLinesAreLost { [weak self] count in
            let logger = self.map { output in Logger(label: "paraph") { _ in LineLogHandler(output: output) } }
            logger?.warning(
                "log lines were dropped: nobody read them in time, or they could not be written",
                metadata: ["count": .stringConvertible(count)]
            )
        }
        return Logger(label: "paraph") { _ in LineLogHandler(output: self) }
    }

    // MARK: The file

    /// Sends lines to where the settings say, which the file was opened for.
    func take(_ file: LogFile?, _ settings: LogSettings) {
        self.settings = settings
        guard let file else { return sink.redirect(to: STDERR_FILENO) }
        state.withLock { $0.failureTold = nil }
        sink.redirect(to: file.descriptor) { [weak self] error in self?.tell(error, of: file.path) }
    }

    /// Opens the file that lines go to anew, since it may have been moved away.
    func reopenFile(_ logger: Logger) async {
        guard let path = settings.file else { return }
        do throws(LogFile.NotOpened) {
            let file = try await BlockingWork.run { () throws(LogFile.NotOpened) in try LogFile(path: path) }
            // A reload may have named another one meanwhile.
            let settings = settings
            guard settings.file == path else { return file.close() }
            take(file, settings)
        } catch {
            let advice = "lines go on to where they went; correct that, and send SIGUSR1"
            logger.error("the log file was not opened again: \(advice)", metadata: ["reason": "\(error)"])
            tellOnStandardError("the log file was not opened again: \(error); \(advice)")
        }
    }

    /// Tells on standard error that lines are lost, but not once a line.
    private func tell(_ error: Errno, of path: String) {
        let now = ContinuousClock.now
        let isDue = state.withLock { state in
            if let told = state.failureTold, now - told < Self.timeBetweenFailures { return false }
            state.failureTold = now
            return true
        }
        guard isDue else { return }
        tellOnStandardError(
            "log lines cannot be written to \(path), and are lost: \(error.reason); make room there, or "
                + "name another file by log.file and reload"
        )
    }

    private func tellOnStandardError(_ sentence: String) {
        LogSink.standardError.write(ByteBuffer(string: "paraph: \(PrintableText(sentence, escapesQuotes: false))\n"))
    }
}

/// Writes each log message as one line: a JSON object, or text for a person. The same lines as the access log's.
private struct LineLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    private let output: LogOutput
    /// The level of this copy alone; nil: that of the output.
    private var ownLevel: Logger.Level?

    init(output: LogOutput) {
        self.output = output
    }

    var logLevel: Logger.Level {
        get { ownLevel ?? output.settings.level }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var fields = metadata
        if let more = event.metadata { fields.merge(more) { _, new in new } }
        let sorted = fields.sorted { $0.key < $1.key }
        let style = output.style(by: output.settings)
        var line = ByteBuffer()
        var clock = LogClock()
        let now = SystemClock.shared.wallTime
        switch style {
        case .json:
            clock.write(now, into: &line)
            let members: [(key: String, value: JSONText)] = [
                ("time", .string(String(buffer: line))),
                ("level", .string(event.level.rawValue)),
                ("message", .string(event.message.description)),
            ]
            let more = sorted.map { (key: $0.key, value: $0.value.json) }
            line = ByteBuffer(string: JSONText.object(members + more).line + "\n")
        case .text, .terminal:
            line.writeColoured(.dim, style) { clock.write(now, into: &$0, omitsDate: style.omitsDate) }
            line.writeString(" ")
            line.writeColoured(event.level.colour, style) { $0.writeString(event.level.rawValue) }
            line.writeString(" \(PrintableText(event.message.description, escapesQuotes: false))")
            for (key, value) in sorted {
                line.writeString(" ")
                line.writeColoured(.dim, style) { $0.writeString("\(key)=") }
                let text = shown(value.description, style, event.level)
                if text.isPlainField { line.writeString(text) } else { line.writeJSON(text) }
            }
            line.writeString("\n")
        }
        // What concerns more than one request is of use at once.
        guard event.level <= .debug else { return output.sink.write(line) }
        output.sink.write(line, [LogLine(time: now, length: line.readableBytes)])
    }
}

/// Returns as much of a value as a person is shown: on a terminal the first line of several, such as that of a refused
/// chain, unless everything is told.
private func shown(_ value: String, _ style: LogStyle, _ level: Logger.Level) -> String {
    guard case .terminal = style, level > .debug, let end = value.firstIndex(of: "\n") else { return value }
    return value[..<end] + " …"
}

extension Logger.MetadataValue {
    /// Numbers as such, and everything else as text.
    fileprivate var json: JSONText {
        guard case .stringConvertible(let value) = self else { return .string(description) }
        return switch value {
        case let number as Int: .integer(number)
        case let number as Int64: .integer(Int(number))
        case let value as Bool: .boolean(value)
        default: .string(value.description)
        }
    }
}

extension ByteBuffer {
    fileprivate mutating func writeColoured(
        _ colour: LogColour?,
        _ style: LogStyle,
        _ write: (inout ByteBuffer) -> Void
    ) {
        guard let colour, style.isColoured else { return write(&self) }
        writeStaticString(colour.start)
        write(&self)
        writeStaticString(LogColour.end)
    }
}

extension Logger.Level {
    fileprivate var colour: LogColour? {
        switch self {
        case .trace, .debug: .dim
        case .info: nil
        case .notice: .cyan
        case .warning: .yellow
        case .error, .critical: .red
        }
    }
}

extension LogStyle {
    /// The style of text on standard error, where that is a terminal; nil: it is none.
    ///
    /// - Parameter environment: Says whether colours are wanted (`NO_COLOR`, `TERM`).
    static func terminal(_ environment: [String: String]) -> LogStyle? {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        let isPlain = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return .terminal(isColoured: !isPlain && environment["TERM"] != "dumb")
    }
}
