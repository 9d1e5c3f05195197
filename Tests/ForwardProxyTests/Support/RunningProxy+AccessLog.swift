import Foundation

extension RunningProxy {
    /// The first line of the access log, as soon as there is one.
    func accessLogLine() async throws -> [String: Any] {
        let text = try await accessLogText { $0.contains("\n") }
        let line = text.prefix { $0 != "\n" }
        return try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }

    /// The access log, as soon as it is as it should be.
    func accessLogText(until isThere: (String) -> Bool) async throws -> String {
        while true {
            try Task.checkCancellation()
            let text = try accessLog.text()
            if isThere(text) { return text }
            // The log is written in batches, on a timer of its own.
            await Task.yield()
        }
    }
}
