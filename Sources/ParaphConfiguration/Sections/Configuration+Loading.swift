import Credentials
import Files
package import FoundationEssentials
import Logging
import Routing
package import Settings
import SystemPackage

extension Configuration {
    /// Reads a configuration file.
    /// - Parameters:
    ///   - path: The file; relative paths in it are relative to its directory.
    ///   - environment: The variables that `{env: NAME}` refers to.
    ///   - now: The time that dates of the file are compared with.
    ///   - waitsForWriters: Whether to wait until somebody opens a FIFO among the files for writing. Otherwise one that
    ///     nobody writes to is empty.
    /// - Throws: Every mistake of the file, not only the first. Text that is no YAML is reported alone, since nothing
    ///   in it can be told apart.
    package static func load(
        path: String,
        environment: [String: String],
        now: Date = Date(),
        waitsForWriters: Bool = true
    ) throws(ConfigurationMistakes) -> Configuration {
        let own = mounted(path)
        do throws(ConfigurationMistakes) {
            var configuration = try read(
                try bytes(ofFile: path, waitsForWriter: waitsForWriters),
                file: path,
                environment: environment,
                now: now,
                waitsForWriters: waitsForWriters
            )
            configuration.watchedFiles += own
            return configuration
        } catch {
            var mistakes = error
            mistakes.watchedFiles += own
            throw mistakes
        }
    }

    /// Returns those of the files that the kubelet mounts.
    private static func mounted(_ paths: String...) -> [SeenFile] {
        paths.filter { PathTrail($0).isMountedByKubelet }.map { SeenFile($0) }
    }

    /// Reads the address of the admin listener alone. No secret is read, no other file, and nothing else of this one is
    /// judged: a proxy that runs need not care what has been written into it since.
    ///
    /// - Returns: Nil when the listener is off.
    /// - Throws: The mistakes that the address cannot be told for.
    package static func adminAddress(path: String) throws(ConfigurationMistakes) -> ListenAddress? {
        try part(ofFile: path, environment: [:]) { root in ListenReading.adminAddress(root?.section("listen")) }
    }

    /// Reads the address of the admin listener and its token alone. No other secret is read, no other file than the
    /// token's, and nothing else is judged.
    ///
    /// - Parameter environment: The variables that `{env: NAME}` refers to.
    /// - Returns: Nil when the listener is off.
    /// - Throws: The mistakes that the two cannot be told for.
    package static func adminListener(
        path: String,
        environment: [String: String]
    ) throws(ConfigurationMistakes) -> AdminListenerSettings? {
        try part(ofFile: path, environment: environment) { root in
            let listen = root?.section("listen")
            return ListenReading.adminAddress(listen).map { address in
                let token = ListenReading.adminToken(listen) ?? root.flatMap(EnrolmentReading.token)
                return AdminListenerSettings(address: address, token: token)
            }
        }
    }

    /// Reads the names of the APIs and of their accounts alone, in the order of the file.
    ///
    /// - Returns: None where the file is of no use.
    package static func accountNames(path: String) -> [(api: String, accounts: [String])] {
        let apis = try? part(ofFile: path, environment: [:]) { root in
            (root?.section("apis")?.members(isName: Value.isAPIName) ?? []).map { name, value in
                let accounts = value.section()?.section("accounts")?.members(isName: Account.isUsable) ?? []
                return (api: name, accounts: accounts.map(\.name))
            }
        }
        return apis ?? []
    }

    /// Reads a part of a file, and leaves all of it unread that the part does not need.
    private static func part<Part>(
        ofFile path: String,
        environment: [String: String],
        read: (Section?) -> Part
    ) throws(ConfigurationMistakes) -> Part {
        let context = ReadingContext(file: path, environment: environment, now: Date(), waitsForWriters: true)
        let root = try compose(try text(try bytes(ofFile: path, waitsForWriter: true), file: path), file: path)
        let value = root.map { Value(node: $0, keyPosition: .start, path: "", context: context) }
        let part = read(value?.section())
        guard context.mistakes.isEmpty else { throw ConfigurationMistakes(file: path, mistakes: context.mistakes) }
        return part
    }

    private static func bytes(ofFile path: String, waitsForWriter: Bool) throws(ConfigurationMistakes) -> [UInt8] {
        do {
            return try FileContents.read(path, limit: YAMLText.maximumBytes, waitsForWriter: waitsForWriter)
        } catch {
            let message =
                error == .fileTooLarge
                ? "the file is larger than 4MiB, which is no configuration file"
                : "the configuration file cannot be read: \(error.reason)"
                    + (path == "-" ? "; standard input is read by the name of /dev/stdin" : "")
            throw ConfigurationMistakes(file: path, mistakes: [Mistake(at: .start, message)])
        }
    }

    /// Reads as `load` does, from the bytes of the file.
    package static func read(
        _ bytes: [UInt8],
        file: String,
        environment: [String: String],
        now: Date = Date(),
        waitsForWriters: Bool = true
    ) throws(ConfigurationMistakes) -> Configuration {
        let source = try text(bytes, file: file)
        let context = ReadingContext(
            file: file,
            source: source,
            environment: environment,
            now: now,
            waitsForWriters: waitsForWriters
        )
        let root = try compose(source, file: file)
        let configuration = root.flatMap { assemble($0, file: file, context: context) }
        if root == nil {
            context.report("the file holds no configuration; at least one API is needed under apis", at: .start)
        }
        // Inside a value that nothing looked at, a repeated key has not been met again.
        if context.mistakes.isEmpty, let position = root?.repeatedKey {
            context.report("this key is written again in this mapping", at: position)
        }
        guard let configuration, context.mistakes.isEmpty else {
            // The sort is stable: mistakes of one place stay in the order they were found in.
            throw ConfigurationMistakes(
                file: file,
                mistakes: context.mistakes.sorted { $0.position < $1.position },
                secretVariables: context.secretVariables,
                watchedFiles: context.files
            )
        }
        return configuration
    }

    private static func text(_ bytes: [UInt8], file: String) throws(ConfigurationMistakes) -> YAMLText {
        do {
            return try YAMLText(bytes)
        } catch {
            throw ConfigurationMistakes(file: file, mistakes: [error])
        }
    }

    private static func compose(_ text: YAMLText, file: String) throws(ConfigurationMistakes) -> YAMLNode? {
        do {
            return try YAMLComposer.compose(text)
        } catch {
            throw ConfigurationMistakes(file: file, mistakes: [error])
        }
    }

    /// - Returns: `nil` only when a mistake was reported.
    private static func assemble(_ node: YAMLNode, file: String, context: ReadingContext) -> Configuration? {
        let value = Value(node: node, keyPosition: .start, path: "", context: context)
        guard let root = value.section() else { return nil }
        let proxy = UpstreamProxyReading(root)
        let http2 = HTTP2Reading(root)
        let (limits, requestsPerAPI) = root.section("limits").map(ProxyLimits.read) ?? (ProxyLimits(), nil)
        let drafts = APIDraft.readAll(
            root,
            enrolled: EnrolmentReading.apis(root),
            inherited: APIDraft.Inherited(
                proxy: proxy.proxy,
                usesHTTP2: http2.usesUpstream,
                requests: requestsPerAPI,
                collected: limits.collected,
                sharesVault: VaultSettings.isShared(root)
            )
        )
        let routes = drafts.map(\.route)
        let access = root.section("access").map { AccessReading($0, apis: routes) } ?? AccessReading()
        let listen = ListenReading(
            root.section("listen"),
            isOpen: !access.listsClients,
            hasEnrolmentToken: EnrolmentReading.hasToken(root)
        )
        proxy.check(against: access.policy.networks, listen: listen)
        for draft in drafts { draft.checkTargets(against: access.policy.networks, listen: listen) }
        for draft in drafts { draft.checkReach(by: access.policy.clients) }
        APIDraft.checkGateways(of: drafts, listen: listen, isOpen: !access.listsClients)
        let enrolment = EnrolmentReading.read(root, drafts: drafts, admin: listen.admin)
        let state = StateFiles.read(root, context: context)
        let timeouts = root.section("timeouts").map(ProxyTimeouts.read) ?? ProxyTimeouts()
        let log = root.section("log").map { LogSettings.read($0, context) } ?? LogSettings()
        let tracing = root.section("tracing").flatMap(TracingSettings.read)
        let metrics = root.section("metrics").map(MetricsReading.init) ?? MetricsReading()
        let keepsRequests = root.section("inspector").map(Configuration.keepsRequests) ?? false
        root.finish()
        let apis = drafts.compactMap(\.settings)
        guard let vault = state.vault, apis.count == drafts.count else { return nil }
        let proxySettings = ProxySettings(
            address: listen.proxy,
            identity: listen.identity,
            router: Router(apis: APITable(routes), access: access.policy),
            apis: apis,
            enrolment: enrolment,
            upstreamProxy: proxy.proxy,
            limits: limits,
            timeouts: timeouts,
            offersHTTP2: http2.offersToClients,
            tracing: tracing,
            namesAccountsInMetrics: metrics.namesAccounts
        )
        return Configuration(
            file: file,
            proxy: proxySettings,
            admin: listen.admin.map {
                AdminListenerSettings(address: $0, token: listen.adminToken ?? enrolment?.token)
            },
            stateDirectory: state.directory,
            authority: state.authority,
            vault: vault,
            log: log,
            keepsRequests: keepsRequests,
            secretVariables: context.secretVariables,
            secretPlaces: context.secretPlaces,
            watchedFiles: context.files.filter { !vault.followsFile($0.path) }
                + mounted(state.authority.certificate, state.authority.privateKey),
            marks: SettingMarks(node, context: context),
            advice: context.advice.sorted { $0.position < $1.position }
        )
    }
}

extension VaultSettings {
    /// Returns whether the vault sees by itself that a file is another one.
    fileprivate func followsFile(_ path: String) -> Bool {
        if case .directory(_, key: .file(path)) = self { true } else { false }
    }
}

extension TracingSettings {
    /// `tracing`
    ///
    /// - Returns: Nil when a mistake was reported.
    fileprivate static func read(_ section: Section) -> TracingSettings? {
        defer { section.finish() }
        guard let value = section["otlp"] else {
            section.value.reportAtKey("lacks otlp, the address of an OpenTelemetry collector")
            return nil
        }
        guard let text = value.word() else { return nil }
        guard let url = ExchangeURL(text), !text.contains("?") else {
            value.report("is not a URL like http://127.0.0.1:4318 (no user name, no ?, no #, no blanks)")
            return nil
        }
        return TracingSettings(collector: url)
    }
}

extension Configuration {
    /// `inspector`
    fileprivate static func keepsRequests(_ section: Section) -> Bool {
        defer { section.finish() }
        return section["keep"]?.isOn() ?? false
    }
}

extension LogSettings {
    /// `log`
    fileprivate static func read(_ section: Section, _ context: ReadingContext) -> LogSettings {
        var settings = LogSettings()
        defer { section.finish() }
        section["level"]?.choice().map { settings.level = $0 }
        section["format"]?.choice().map { settings.format = $0 }
        section["query"]?.isOn().map { settings.includesQuery = $0 }
        let file = section["file"]
        settings.file = file?.word().map(context.resolve)
        if let path = settings.file, let folder = path.lastIndex(of: "/"), folder > path.startIndex,
            !FileContents.exists(String(path[..<folder]))
        {
            file?.advise(.error, "is in a folder that is not there, so that the proxy will not start; make the folder")
        }
        return settings
    }
}
