import Foundation

@testable import ForwardProxy

extension RunningProxy {
    /// The first line of the access log, as soon as there is one.
    func accessLogLine() async throws -> [String: Any] {
        let text = try await accessLogText(lines: 1)
        let line = text.prefix { $0 != "\n" }
        return try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }

    /// The access log, as soon as it has so many lines.
    func accessLogText(lines: Int) async throws -> String {
        try await accessLogText { text in text.utf8.count { $0 == UInt8(ascii: "\n") } >= lines }
    }

    /// The access log, as soon as it is as it should be.
    func accessLogText(until isThere: @Sendable (String) -> Bool) async throws -> String {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            // Lines are gathered for a while before they are written.
            tasks.addTask { while true { try await clock.expire(AccessLog.delay) } }
            defer { tasks.cancelAll() }
            return try await accessLog.text(until: isThere)
        }
    }
}
