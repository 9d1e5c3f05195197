/// The reason why a secret, or a body, that is kept elsewhere cannot be had.
enum SecretSourceError: Error, CustomStringConvertible {
    case variableNotSet(String)
    /// With the system's words.
    case fileNotReadable(String, reason: String)

    var description: String {
        switch self {
        case .variableNotSet(let name): "The environment variable \(name) is not set."
        case .fileNotReadable(let path, let reason): "The file \(path) cannot be read: \(reason)."
        }
    }
}
