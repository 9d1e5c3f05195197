package import Foundation

/// A new directory of a test's own, 0700, removed with everything in it when the value goes.
package final class TestDirectory: Sendable {
    package let path: String

    package init() throws {
        var template = Array((NSTemporaryDirectory() + "paraph-test-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of something in it.
    package func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// The names of the files in it, hidden ones included.
    package var names: [String] { get throws { try Self.names(in: path) } }

    package static func names(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    package func mode(_ name: String) -> mode_t { Self.mode(of: self(name)) }

    /// 0 where there is nothing; of a symbolic link its own.
    package static func mode(of path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    package func setMode(_ mode: mode_t, of name: String) throws {
        guard chmod(self(name), mode) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// - Returns: The path of the file.
    @discardableResult
    package func write(_ text: String, to name: String, mode: mode_t = 0o600) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: self(name)))
        try setMode(mode, of: name)
        return self(name)
    }

    package func text(_ name: String) throws -> String {
        try String(contentsOf: URL(fileURLWithPath: self(name)), encoding: .utf8)
    }
}
