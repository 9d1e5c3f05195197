/// The result of a reload.
package enum ReloadResult: Equatable, Sendable {
    /// Everything is served by the configuration as it is now.
    case applied
    /// Nothing has changed.
    /// - Parameters:
    ///   - reason: For a person.
    ///   - mistakes: `FILE:LINE:COLUMN: message` each; none where the file is good, and something else is not.
    case refused(reason: String, mistakes: [String])
    /// Nothing is reloaded any more, because the process ends.
    case ending
}
