import Files
import ForwardProxy
import FoundationEssentials
import Logging
import ParaphConfiguration
import Settings
import SystemPackage

/// The destination of the private proxy's log: the standard streams are the command's.
struct ExecLog {
    let logger: Logger
    let accessLogFormat: LogFormat
    /// Nil: there is no access log.
    let accessLog: LogSink?
    private let gate = ExecLogHandler.Gate()

    /// - Parameters:
    ///   - file: Takes everything that the configuration's `log` asks for; made when it is not there. Nil: standard
    ///     error takes warnings.
    ///   - isVerbose: Whether standard error takes what the log of `paraph run` has, as text.
    /// - Throws: A sentence: the file cannot be written.
    init(_ settings: LogSettings, file: String?, isVerbose: Bool) throws(SecretSourceError) {
        if let file {
            let descriptor: FileDescriptor
            do throws(Errno) {
                descriptor = try FileContents.append(to: file)
            } catch {
                throw .fileNotReadable(file, reason: error.reason)
            }
            let output = LogOutput(settings, sink: LogSink(descriptor: descriptor.rawValue))
            accessLogFormat = output.settings.format
            accessLog = output.accessLogSink
            logger = output.logger()
        } else {
            accessLogFormat = .text
            accessLog = isVerbose ? .standardError : nil
            logger = Logger(label: "paraph") { [gate] _ in
                ExecLogHandler(level: isVerbose ? .info : .warning, gate: gate)
            }
        }
    }

    /// The command has ended: what is cut off now is cut off on purpose, and whoever waited reads on.
    func endRemarks() { gate.close() }
}
