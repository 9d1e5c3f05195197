import Logging
import Settings

extension LogSettings {
    /// `log`
    static func read(_ section: Section) -> LogSettings {
        var settings = LogSettings()
        defer { section.finish() }
        section["level"]?.choice().map { settings.level = $0 }
        section["format"]?.choice().map { settings.format = $0 }
        return settings
    }
}
