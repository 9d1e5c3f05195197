import Files
import FoundationEssentials
import Glibc
import SystemPackage

/// A directory of its own (0700) for what a command needs on disk while it runs.
struct TemporaryDirectory {
    struct Unavailable: Error, CustomStringConvertible {
        let place: String
        let reason: String

        /// Indicates whether the environment names the place.
        var isConfigured = false

        var description: String {
            "no directory can be made in \(place)\(isConfigured ? ", which TMPDIR names" : ""): \(reason)"
        }
    }

    let path: String

    /// - Parameter name: The prefix of its own name.
    init(named name: String = "paraph-demo") throws(Unavailable) {
        let environment = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        // A command may change its working directory.
        let place = environment.isEmpty ? "/tmp" : Directory.absolutePath(of: environment)
        var template = Array("\(place)/\(name).XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            let reason = Errno.last.reason
            throw Unavailable(place: place, reason: reason, isConfigured: !environment.isEmpty)
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Makes a directory, and removes it when the body has ended.
    ///
    /// - Parameter name: The same as for `init(named:)`.
    /// - Throws: ``Unavailable``, or what the body throws.
    static func with<Value>(
        named name: String,
        _ body: (TemporaryDirectory) async throws -> Value
    ) async throws -> Value {
        let directory = try await BlockingWork.run { try TemporaryDirectory(named: name) }
        do {
            let value = try await body(directory)
            await BlockingWork.run { directory.remove() }
            return value
        } catch {
            await BlockingWork.run { directory.remove() }
            throw error
        }
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func remove() {
        try? Directory.removeAll(path: path)
    }
}
