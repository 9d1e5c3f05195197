import Foundation

extension RunningProxy {
    /// The first line of the access log, as soon as there is one.
    func accessLogLine() async throws -> [String: Any] {
        let text = try await accessLogText(lines: 1)
        let line = text.prefix { $0 != "\n" }
        return try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }

    /// The access log, as soon as it has so many lines.
    func accessLogText(lines: Int) async throws -> String {
        try await accessLog.text { text in text.utf8.count { $0 == UInt8(ascii: "\n") } >= lines }
    }
}
