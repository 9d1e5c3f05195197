import Files
import FoundationEssentials
import Glibc
import SystemPackage

/// A directory of its own (0700) for what a command needs on disk while it runs.
struct TemporaryDirectory {
    struct Unavailable: Error, CustomStringConvertible {
        let place: String
        let reason: String

        var description: String { "no directory can be made in \(place): \(reason)" }
    }

    let path: String

    /// - Parameter name: What its own name begins with.
    init(named name: String = "paraph-demo") throws(Unavailable) {
        let environment = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        // A command may change its working directory.
        let place = environment.isEmpty ? "/tmp" : Directory.absolutePath(of: environment)
        var template = Array("\(place)/\(name).XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Unavailable(place: place, reason: Errno(rawValue: errno).reason)
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
