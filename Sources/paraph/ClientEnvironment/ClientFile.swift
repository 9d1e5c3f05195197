/// A file that a variable of the environment names.
struct ClientFile: Sendable, Equatable {
    let name: String
    let bytes: [UInt8]
    /// Indicates whether it may hold what is for its owner alone, such as a password of the user's own settings.
    var isPrivate = false
}
