import Bytes
import Credentials
import Files
import FoundationEssentials
import LocalAuthority
import ParaphConfiguration
import Routing
import Settings

extension ClientEnvironment {
    /// Returns the environment for the proxy that `paraph run` runs by this configuration. Its files are written to the
    /// state directory.
    /// - Parameter client: The name of one of `access.clients`.
    static func ofRunningProxy(_ configuration: Configuration, client: String?) throws -> ClientEnvironment {
        let path = absolute(configuration.stateDirectory) + "/clients"
        guard let certificate = try AuthorityCertificate.read(path: configuration.authority.certificate) else {
            throw EnvError.noAuthority(path: configuration.authority.certificate)
        }
        let environment = ClientEnvironment(
            proxy: try ClientProxy(configuration, client: client),
            authority: ClientAuthority(certificate),
            apis: configuration.proxy.apis.flatMap(\.route.hosts),
            directory: path,
            environment: ProcessInfo.processInfo.environment,
            read: { try? FileContents.read($0, waitsForWriter: false) }
        )
        let directory = ClientDirectory(path: path, mode: 0o644)
        try directory.make()
        try environment.write(to: directory)
        return environment
    }

    /// The truststore is another one each time that it is made: it goes with the roots that it was made of, which are
    /// written last.
    func write(to directory: ClientDirectory) throws {
        for file in files where file.name != TrustBundles.rootsName { try directory.write(file) }
        guard let roots = files.first(where: { $0.name == TrustBundles.rootsName }) else { return }
        let isThere = FileManager.default.isReadableFile(atPath: directory.path(of: Self.truststoreName))
        guard !isThere || !directory.holds(roots) else { return }
        try directory.write(truststore())
        try directory.write(roots)
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }
}

extension ClientProxy {
    /// As programs on this machine reach it.
    init(_ configuration: Configuration, client: String?) throws(EnvError) {
        let listen = configuration.proxy.address
        guard listen.port != 0 else { throw .noFixedPort(file: configuration.file) }
        let known = configuration.access.clients.map(\.name)
        let userInformation: String?
        switch (client, known.isEmpty) {
        case (nil, true): userInformation = nil
        case (nil, false): throw .clientNeeded(known: known)
        case (let name?, true): throw .noClients(name)
        case (let name?, false):
            guard known.contains(where: { sameBytes($0, name) }) else { throw .unknownClient(name, known: known) }
            userInformation =
                "\(String(decoding: PercentEncoding.encode(name.utf8), as: UTF8.self)):\(ClientPassword.reference)"
        }
        let host =
            switch listen.host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "::1"
            default: listen.host
            }
        self.init(host: host, port: listen.port, userInformation: userInformation)
    }
}
