import Foundation
import TestSupport

@testable import ForwardProxy

/// A file that a log is written to; gone with the value.
final class CapturedLog: Sendable {
    let sink: LogSink
    private let file: FileHandle
    private let directory: TestDirectory

    init() throws {
        directory = try TestDirectory()
        let path = try directory.write("", to: "log")
        guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileNoSuchFile) }
        self.file = file
        sink = LogSink(descriptor: file.fileDescriptor)
    }

    /// All that was written so far.
    func text() throws -> String {
        sink.finish(within: .seconds(60))
        return try directory.text("log")
    }
}
