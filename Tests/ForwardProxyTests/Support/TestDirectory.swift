import Foundation

/// A directory of its own; gone with the value.
final class TestDirectory: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("forward-\(UUID().uuidString)").path

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
