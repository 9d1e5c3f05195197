import Foundation

@testable import ForwardProxy

/// A file that a log is written to; gone with the value.
final class LogFile: Sendable {
    let sink: LogSink
    private let file: FileHandle
    private let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        guard FileManager.default.createFile(atPath: path, contents: nil) else { throw CocoaError(.fileWriteUnknown) }
        guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileNoSuchFile) }
        self.file = file
        sink = LogSink(descriptor: file.fileDescriptor)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// All that was written so far.
    func text() throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }
}
