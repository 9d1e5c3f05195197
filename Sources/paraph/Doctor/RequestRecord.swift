import FoundationEssentials
import ForwardProxy
import Glibc

/// The access log of a proxy that one client at a time uses.
final class RequestRecord: Sendable {
    struct NotMade: Error, CustomStringConvertible {
        let path: String

        var description: String { "\(path) cannot be written" }
    }

    /// What is of interest in a line of the log.
    struct Entry: Decodable {
        let status: Int?
        let error: String?
        let details: String?
    }

    let sink: LogSink
    private let path: String
    private let descriptor: Int32

    init(path: String) throws(NotMade) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw NotMade(path: path) }
        self.path = path
        sink = LogSink(descriptor: descriptor)
    }

    /// What has come so far is of no interest any more.
    func forget() {
        ftruncate(descriptor, 0)
    }

    /// The last request since then. Lines are written a tenth of a second late.
    func wait() async -> Entry? {
        for _ in 0..<20 {
            if let entry = last { return entry }
            try? await Task.sleep(for: .milliseconds(50))
        }
        return last
    }

    private var last: Entry? {
        let bytes = (try? FileBytes.read(path)) ?? []
        return bytes.split(separator: UInt8(ascii: "\n")).last.flatMap {
            try? JSONDecoder().decode(Entry.self, from: Data($0))
        }
    }
}
