package import Settings

/// The answer to whoever asks for a reload: all of the configuration is applied, or nothing of it.
package enum ReloadResult: Equatable, Sendable {
    /// Everything is served by the configuration as it is now.
    case applied(SettingChanges)
    /// The configuration is as it was before.
    /// - Parameters:
    ///   - reason: The reason, for a person.
    ///   - mistakes: `FILE:LINE:COLUMN: message` each; none where the file is good, and something else is not.
    case refused(reason: String, mistakes: [String])
    /// The process ends, and reloads no more.
    case ending

    package var isApplied: Bool {
        if case .applied = self { true } else { false }
    }
}
