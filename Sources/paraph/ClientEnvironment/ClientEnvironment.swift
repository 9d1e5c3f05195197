import Files
import FoundationEssentials
import LocalAuthority
import ParaphConfiguration
import Routing
import Settings
import UpstreamTrust

/// The variables that make programs use a proxy and trust its local CA, and the files that those variables name.
/// Nothing is written here: ``files`` have to be, in the directory that was given.
struct ClientEnvironment: Sendable {
    private static let truststoreName = "truststore.p12"
    private static let preloadName = "proxy.cjs"

    /// The variables in the order of their names.
    let variables: [(name: String, value: String)]
    /// The other variables of the environment that tell programs of another proxy, and have to go.
    let removed: [String]
    /// All but the truststore: that is large, and made only where it is needed.
    let files: [ClientFile]
    /// Remarks that the user should know, a sentence each.
    let remarks: [String]
    /// The variables that are not set, and why, a sentence each.
    let omissions: [String]

    private let roots: [UInt8]
    private let authority: ClientAuthority

    /// - Parameters:
    ///   - apis: The hosts whose requests have to go through the proxy.
    ///   - directory: An absolute path: where the files will be.
    ///   - environment: The present one.
    ///   - read: The bytes of a file; nil when it cannot be read.
    init(
        proxy: ClientProxy,
        authority: ClientAuthority,
        apis: [HostPattern],
        directory: String,
        environment: [String: String],
        read: @escaping (String) -> [UInt8]?
    ) {
        let bundles = TrustBundles(
            authority: authority,
            directory: directory,
            environment: NPMSettings.adding(to: environment, read: read),
            read: read
        )
        let noProxy = NoProxyList(present: Self.present("no_proxy", environment), apis: apis)
        let rootsFile = "\(directory)/\(TrustBundles.rootsName)"

        var values = bundles.names.mapValues { "\(directory)/\($0)" }
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] { values[name] = proxy.url }
        // Yarn from version 2 on reads those alone.
        for name in ["YARN_HTTP_PROXY", "YARN_HTTPS_PROXY"] { values[name] = proxy.url }
        for name in ["NO_PROXY", "no_proxy"] where !noProxy.entries.isEmpty { values[name] = noProxy.text }
        values["NODE_USE_ENV_PROXY"] = "1"
        values["NODE_OPTIONS"] = NodePreload.options(
            present: environment["NODE_OPTIONS"] ?? "",
            file: "\(directory)/\(Self.preloadName)"
        )
        values["PERL_LWP_ENV_PROXY"] = "1"
        values["PHP_INI_SCAN_DIR"] = PHPSettings.directories(
            present: environment["PHP_INI_SCAN_DIR"],
            adding: directory
        )
        if !proxy.speaksTLS {
            values["WGETRC"] = "\(directory)/\(WgetSettings.name)"
            values["JAVA_TOOL_OPTIONS"] = JavaOptions.text(
                present: environment["JAVA_TOOL_OPTIONS"] ?? "",
                host: proxy.host,
                port: proxy.port,
                nonProxyHosts: noProxy.javaText,
                truststore: "\(directory)/\(Self.truststoreName)"
            )
        }
        variables = values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        removed = environment.keys.filter { Self.isCompeting($0) && values[$0] == nil }.sorted()

        var files = bundles.files.sorted { $0.key < $1.key }.map { ClientFile(name: $0.key, bytes: $0.value) }
        files.append(ClientFile(name: Self.preloadName, bytes: Array(NodePreload.script.utf8)))
        files.append(ClientFile(name: PHPSettings.name, bytes: Array(PHPSettings.text(roots: rootsFile).utf8)))
        let wgetSettings = environment["WGETRC"] ?? environment["HOME"].map { "\($0)/.wgetrc" }
        files.append(
            ClientFile(
                name: WgetSettings.name,
                bytes: WgetSettings.bytes(present: wgetSettings.flatMap(read) ?? [], roots: rootsFile),
                isPrivate: true
            )
        )
        self.files = files
        self.authority = authority
        roots = bundles.files[TrustBundles.rootsName] ?? []
        omissions =
            proxy.speaksTLS
            ? [
                "JAVA_TOOL_OPTIONS and WGETRC are not set: Java's virtual machines and wget speak clear text with every proxy, "
                    + "and this one speaks TLS."
            ] : []
        let replaced = proxy.speaksTLS ? nil : environment["JAVA_TOOL_OPTIONS"]
        remarks = Self.remarks(proxy, bundles, noProxy, replaced ?? "")
    }

    /// The roots and the local CA for Java, in PKCS#12.
    func truststore() throws -> ClientFile {
        let own = PEMBlocks.certificates(Array(authority.pem.utf8))
        let others = PEMBlocks.certificates(roots).filter { !own.contains($0) }
        let certificates = (others + [authority.javaDER]).enumerated().map { (alias: "ca-\($0 + 1)", der: $1) }
        let bytes = try PKCS12TrustStore.encode(certificates, password: JavaOptions.storePassword)
        return ClientFile(name: Self.truststoreName, bytes: bytes)
    }

    /// The lower-case name is the one that more programs prefer.
    private static func present(_ name: String, _ environment: [String: String]) -> String {
        let value = environment[name] ?? ""
        return value.isEmpty ? environment[name.uppercased()] ?? "" : value
    }

    private static func isCompeting(_ name: String) -> Bool {
        let lower = name.lowercased()
        return [
            "all_proxy", "no_proxy", "ws_proxy", "wss_proxy", "grpc_proxy", "no_grpc_proxy", "cgi_http_proxy",
            "pip_proxy",
            "cargo_http_proxy", "npm_config_proxy", "npm_config_http_proxy", "npm_config_https_proxy",
            "npm_config_noproxy", "cloudsdk_proxy_type", "cloudsdk_proxy_address", "cloudsdk_proxy_port",
        ].contains(lower)
    }

    private static func remarks(
        _ proxy: ClientProxy,
        _ bundles: TrustBundles,
        _ noProxy: NoProxyList,
        _ javaOptions: String
    ) -> [String] {
        var remarks: [String] = []
        if bundles.lacksSystemRoots {
            remarks.append(
                "No file with the system's CAs was found: programs trust the configured APIs' hosts and no other. Install "
                    + "ca-certificates, or name such a file in SSL_CERT_FILE."
            )
        }
        if !noProxy.dropped.isEmpty {
            remarks.append(
                "NO_PROXY covers hosts of configured APIs, whose requests would not be signed; left out of it: "
                    + noProxy.dropped.joined(separator: ", ")
            )
        }
        if JavaOptions.namesTruststore(javaOptions, besides: truststoreName) {
            remarks.append(
                "JAVA_TOOL_OPTIONS names a truststore, which is replaced by one of the system's CAs and the local CA."
            )
        }
        if let names = proxy.otherNames {
            remarks.append(
                "The certificate of the proxy's listener is for \(names.isEmpty ? "no host" : names), and not for "
                    + "\(proxy.host), which it listens on: programs refuse it. Have a certificate made for that too, or give "
                    + "programs a name of it that leads there."
            )
        }
        return remarks
    }
}

extension ClientEnvironment {
    /// Returns the environment for a private proxy on a port of 127.0.0.1; its files are written to the directory, for
    /// their owner alone.
    static func ofPrivateProxy(
        port: Int,
        _ configuration: Configuration,
        _ state: ProxyState,
        in directory: TemporaryDirectory
    ) throws -> ClientEnvironment {
        let environment = ClientEnvironment(
            proxy: ClientProxy(host: "127.0.0.1", port: port),
            authority: ClientAuthority(state.authority.certificate),
            apis: configuration.proxy.apis.flatMap(\.route.hosts),
            directory: directory.path,
            environment: ProcessInfo.processInfo.environment,
            read: { try? FileContents.read($0, waitsForWriter: false) }
        )
        try environment.write(to: ClientDirectory(path: directory.path, mode: 0o600))
        return environment
    }
}

extension ClientEnvironment {
    /// Returns the environment for the proxy that `paraph run` runs by this configuration. Its files are written to the
    /// state directory.
    /// - Parameter client: The name of one of `access.clients`.
    static func ofRunningProxy(_ configuration: Configuration, client: String?) throws -> ClientEnvironment {
        let path = Directory.absolutePath(of: configuration.stateDirectory) + "/clients"
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

    /// Returns the environment for programs that see a directory of this machine at the same path, such as those of
    /// other containers, and know nothing else of it: nothing of this process's own environment is in it.
    /// - Parameters:
    ///   - client: The name of one of `access.clients`.
    ///   - path: The directory.
    static func ofOtherContainers(
        _ configuration: Configuration,
        _ certificate: AuthorityCertificate,
        client: String?,
        in path: String
    ) throws(EnvError) -> ClientEnvironment {
        ClientEnvironment(
            proxy: try ClientProxy(configuration, client: client),
            authority: ClientAuthority(certificate),
            apis: configuration.proxy.apis.flatMap(\.route.hosts),
            directory: Directory.absolutePath(of: path),
            environment: [:],
            read: { try? FileContents.read($0, waitsForWriter: false) }
        )
    }

    /// The truststore is another one each time that it is made: it goes with the roots that it was made of, which are
    /// written last.
    func write(to directory: ClientDirectory) throws {
        for file in files where file.name != TrustBundles.rootsName { try directory.write(file) }
        guard let roots = files.first(where: { $0.name == TrustBundles.rootsName }) else { return }
        let isThere = FileContents.isReadable(directory.path(of: Self.truststoreName))
        guard !isThere || !directory.holds(roots) else { return }
        try directory.write(truststore())
        try directory.write(roots)
    }
}
