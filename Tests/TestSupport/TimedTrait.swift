import Foundation
package import Testing

/// Appends a line for each test case to the file that the environment names in `TEST_TIMES`: the seconds that it ran
/// and its test's identifier, parted by a tab. The library's own events tell of most tests only when they began to wait
/// for their turn.
package struct TimedTrait: SuiteTrait, TestTrait, TestScoping {
    private static let times = ProcessInfo.processInfo.environment["TEST_TIMES"].map {
        open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    }

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let begin = ContinuousClock.now
        defer {
            if let times = Self.times {
                let seconds = (ContinuousClock.now - begin) / .seconds(1)
                // One call, so that lines of tests that end at once do not mix.
                let line = Array("\(seconds)\t\(test.id)\n".utf8)
                _ = write(times, line, line.count)
            }
        }
        try await function()
    }
}
