/// What keeps the proxy from using its state, beyond what its parts say of themselves.
enum ProxyStateError: Error, CustomStringConvertible {
    case vaultKeyLost(path: String, directory: String)

    var description: String {
        switch self {
        case .vaultKeyLost(let path, let directory):
            "The vault \(directory) holds sealed tokens, but the key file \(path) does not exist. Restore that file; or, "
                + "if it is lost, remove the directory: the tokens are then fetched again."
        }
    }
}
