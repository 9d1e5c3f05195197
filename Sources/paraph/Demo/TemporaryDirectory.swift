import FoundationEssentials
import Glibc

/// A directory of its own (0700) for what the demo needs on disk.
struct TemporaryDirectory {
    struct Unavailable: Error, CustomStringConvertible {
        let place: String
        let reason: String

        var description: String { "no directory can be made in \(place): \(reason)" }
    }

    let path: String

    init() throws(Unavailable) {
        let place = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(place)/paraph-demo.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Unavailable(place: place, reason: String(cString: strerror(errno)))
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
