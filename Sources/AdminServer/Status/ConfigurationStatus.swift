import Bytes
package import FoundationEssentials

/// The configuration that requests are served by.
package struct ConfigurationStatus: Equatable, Sendable, Decodable {
    package var file: String
    /// The time at which it was read: that of the start, or of the last reload that was applied.
    package var loaded: Date
    /// The last reload; nil when there was none yet.
    package var lastReload: ReloadStatus?

    package init(file: String, loaded: Date, lastReload: ReloadStatus? = nil) {
        self.file = file
        self.loaded = loaded
        self.lastReload = lastReload
    }

    var json: JSONText {
        .object([
            ("file", .string(file)), ("loaded", .time(loaded)), ("last_reload", lastReload?.json ?? .null),
        ])
    }
}
