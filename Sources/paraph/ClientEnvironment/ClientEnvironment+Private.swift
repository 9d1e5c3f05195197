import FoundationEssentials
import LocalAuthority
import ParaphConfiguration
import Routing

extension ClientEnvironment {
    /// For a private proxy on a port of 127.0.0.1; its files are written to the directory, for their owner alone.
    static func ofPrivateProxy(
        port: Int,
        _ configuration: Configuration,
        _ state: ProxyState,
        in directory: TemporaryDirectory
    ) throws -> ClientEnvironment {
        let environment = ClientEnvironment(
            proxy: ClientProxy(host: "127.0.0.1", port: port),
            authority: ClientAuthority(state.authority.certificate),
            apis: configuration.apis.flatMap(\.route.hosts),
            directory: directory.path,
            environment: ProcessInfo.processInfo.environment,
            read: { try? FileBytes.read($0, waitsForWriter: false) }
        )
        try environment.write(to: ClientDirectory(path: directory.path, mode: 0o600))
        return environment
    }
}
