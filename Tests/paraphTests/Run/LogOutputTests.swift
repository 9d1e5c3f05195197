import Dispatch
import ForwardProxy
import Foundation
import Glibc
import Logging
import NIOCore
import Settings
import TestSupport
import Testing

@testable import paraph

@Suite("The log's output")
struct LogOutputTests {
    private static func settings(_ format: LogFormat? = nil, file: String? = nil) -> LogSettings {
        var settings = LogSettings()
        settings.format = format
        settings.file = file
        return settings
    }

    @Test("is text on a terminal and JSON elsewhere, unless the settings say which")
    func chooses() {
        let terminal = LogStyle.terminal(isColoured: true)
        let cases: [(LogSettings, LogStyle?, LogStyle)] = [
            (Self.settings(), nil, .json), (Self.settings(), terminal, terminal),
            (Self.settings(.json), terminal, .json), (Self.settings(.text), nil, .text),
            (Self.settings(.text), terminal, terminal),
            (Self.settings(file: "/x"), terminal, .json), (Self.settings(.text, file: "/x"), terminal, .text),
        ]
        for (settings, terminal, expected) in cases {
            let output = LogOutput(settings, sink: .standardError, terminal: terminal)
            #expect(output.style(by: settings) == expected)
            #expect(output.accessLog(by: settings)?.style == expected)
        }
        var quiet = LogSettings()
        quiet.level = .notice
        #expect(LogOutput(quiet, sink: .standardError).accessLog(by: quiet) == nil)
    }

    @Test("has of a value of several lines the first one on a terminal, and all of them elsewhere")
    func firstLine() throws {
        for (terminal, shown) in [
            (LogStyle.terminal(isColoured: false), "reason=\"not trusted …\"\n"),
            (nil, #""reason":"not trusted\n  a chain"}"# + "\n"),
        ] {
            let file = try TestDirectory()
            let sink = LogSink(descriptor: open("\(file.path)/log", O_WRONLY | O_CREAT, 0o600), closes: true)
            let output = LogOutput(Self.settings(), sink: sink, terminal: terminal)
            output.logger().warning("refused", metadata: ["reason": "not trusted\n  a chain"])
            #expect(sink.finish(within: .seconds(300)))
            #expect(try file.text("log").hasSuffix(shown))
        }
    }

    @Test("goes on in a new file when the file was moved away, whose owner alone may read it")
    func reopens() async throws {
        let directory = try TestDirectory()
        let path = "\(directory.path)/log"
        let settings = Self.settings(file: path)
        let sink = LogSink(descriptor: open("/dev/null", O_WRONLY), closes: true)
        let output = LogOutput(settings, sink: sink)
        output.take(try LogFile(path: path), settings)
        let logger = output.logger()
        logger.info("one")
        #expect(await sink.finish(within: .seconds(300)))
        try #require(rename(path, path + ".1") == 0)
        logger.info("two")
        #expect(await sink.finish(within: .seconds(300)))
        await output.reopenFile(logger)
        logger.info("three")
        #expect(await sink.finish(within: .seconds(300)))
        let (old, new) = try (directory.text("log.1"), directory.text("log"))
        #expect(old.contains("one") && old.contains("two") && !old.contains("three"))
        #expect(new.contains("three") && !new.contains("two"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("stays where it is when the file cannot be opened again, and says so there")
    func staysInOldFile() async throws {
        let directory = try TestDirectory()
        let path = "\(directory.path)/log"
        let settings = Self.settings(file: path)
        let sink = LogSink(descriptor: open("/dev/null", O_WRONLY), closes: true)
        let output = LogOutput(settings, sink: sink)
        output.take(try LogFile(path: path), settings)
        try #require(rename(path, path + ".1") == 0 && mkdir(path, 0o700) == 0)
        await output.reopenFile(output.logger())
        #expect(await sink.finish(within: .seconds(300)))
        #expect(try directory.text("log.1").contains("the log file was not opened again"))
    }

    @Test("is coloured only where the environment lets it be")
    func asksEnvironment() {
        // Standard error of the tests is no terminal, or whoever runs them sees what it says.
        guard isatty(STDERR_FILENO) == 1 else {
            #expect(LogStyle.terminal(["TERM": "xterm"]) == nil)
            return
        }
        #expect(LogStyle.terminal(["TERM": "xterm"]) == .terminal(isColoured: true))
        #expect(LogStyle.terminal(["TERM": "xterm", "NO_COLOR": "1"]) == .terminal(isColoured: false))
        #expect(LogStyle.terminal(["TERM": "dumb"]) == .terminal(isColoured: false))
    }
}
