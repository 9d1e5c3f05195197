import LocalAuthority
import Logging
import ParaphConfiguration

/// The local CA's certificate and the variables of `paraph env`, in a directory that programs elsewhere see as well: a
/// volume that their containers share with the proxy's.
struct Publication {
    private static let variablesName = "env"

    let path: String
    /// The name of one of `access.clients`, where there are any.
    let client: String?

    /// Writes what has changed, each file at once and whole; everybody may read them.
    /// - Throws: A sentence with the reason.
    func write(_ configuration: Configuration, _ authority: LocalAuthority, logger: Logger) throws {
        let environment = try ClientEnvironment.ofOtherContainers(
            configuration,
            authority.certificate,
            client: client,
            in: path
        )
        for sentence in environment.remarks + environment.omissions { logger.warning("\(sentence)") }
        // Made without any user's own settings, so that nothing in it is for its owner alone.
        let directory = ClientDirectory(path: path, mode: 0o644, privateMode: 0o644)
        try environment.write(to: directory)
        let shell = ShellDialect.dotenv
        let lines =
            environment.variables.map { shell.assignment($0.name, $0.value) }
            + environment.omissions.map { shell.comment($0) }
        try directory.write(ClientFile(name: Self.variablesName, bytes: Array(lines.map { "\($0)\n" }.joined().utf8)))
    }
}
