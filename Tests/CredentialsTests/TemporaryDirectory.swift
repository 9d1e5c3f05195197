import Foundation

/// A new directory, 0700, removed with everything in it when the value goes.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array((NSTemporaryDirectory() + "paraph-credentials-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of something in it.
    func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// What is in a directory, hidden files included.
    static func names(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// What is in a vault's directory, but for what the vault has for itself.
    static func sealed(in path: String) throws -> [String] {
        for directory in [".temporary", ".rekey"] where access(path + "/" + directory, F_OK) == 0 {
            guard try names(in: path + "/" + directory).isEmpty else { return ["half-written files in " + directory] }
        }
        return try names(in: path).filter { ![".temporary", ".rekey"].contains($0) }
    }

    static func mode(of path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }
}
