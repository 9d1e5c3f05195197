import ParaphConfiguration

/// The reason why a secret, or a body, that is kept elsewhere cannot be had.
enum SecretSourceError: Error, CustomStringConvertible {
    case variableNotSet(String)
    /// The file cannot be read; the reason is in the system's words.
    case fileNotReadable(String, reason: String)

    var description: String {
        switch self {
        case .variableNotSet(let name):
            "\(ShownName.variable(name).capitalizedSentence) is not set; give a variable's name, without a $."
        case .fileNotReadable(let path, let reason): "The file \(path) cannot be read: \(reason)."
        }
    }
}

extension String {
    /// The same with a capital at its beginning.
    fileprivate var capitalizedSentence: String { prefix(1).uppercased() + dropFirst() }
}
