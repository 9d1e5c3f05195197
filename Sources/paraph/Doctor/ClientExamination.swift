import Bytes
import Credentials
import ForwardProxy
import FoundationEssentials
import Glibc
import LocalAuthority
import ParaphConfiguration
import Routing
import Settings

/// Lets each client of this machine make a request through a private proxy, and through the running one where this
/// shell's variables name it.
struct ClientExamination: Sendable {
    let configuration: Configuration
    let url: ClientTarget
    let account: String?
    let proxyIsRunning: Bool
    let server: any ClientServer

    /// One client after the other, as they are done.
    func findings() -> AsyncStream<[Finding]> {
        AsyncStream { continuation in
            let task = Task {
                do {
                    try await examine { continuation.yield($0) }
                } catch {
                    continuation.yield([Finding("clients", .fails, "\(error)")])
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func examine(_ tell: ([Finding]) -> Void) async throws {
        let state = try await ProxyState.open(configuration)
        try await state.vault.closing { try await examine(state, tell) }
    }

    private func examine(_ state: ProxyState, _ tell: ([Finding]) -> Void) async throws {
        try await state.vault.store.check()
        try await TemporaryDirectory.with(named: "paraph-doctor") { directory in
            try await examine(state, in: directory, tell)
        }
    }

    private func examine(
        _ state: ProxyState,
        in directory: TemporaryDirectory,
        _ tell: ([Finding]) -> Void
    ) async throws {
        let requests = try await BlockingWork.run { try Self.makeFiles(in: directory) }
        try await server.serve(state, accessLog: requests.sink) { port in
            let clients = try await BlockingWork.run { [configuration] in
                try ClientEnvironment.ofPrivateProxy(port: port, configuration, state, in: directory)
            }
            let shell = ShellSetting(configuration, proxyIsRunning: proxyIsRunning)
            tell([shell.finding])
            var isRefusalTold = false
            for probe in ClientProbe.all {
                let path = await BlockingWork.run { ChildProcess.path(of: probe.program) }
                guard let program = path else { continue }
                let tried = Tried(probe: probe, program: program, run: ClientRun(directory: directory.path))
                let (finding, refusal) = await examine(tried, environment(clients), requests, shell)
                // The same for every client.
                tell((isRefusalTold ? nil : refusal).map { [$0, finding] } ?? [finding])
                isRefusalTold = isRefusalTold || refusal != nil
            }
        }
    }

    /// Makes what the clients need besides their environment, and the log of the proxy.
    private static func makeFiles(in directory: TemporaryDirectory) throws -> RequestRecord {
        let requests = try RequestRecord(path: directory.file("requests"))
        for case let file? in ClientProbe.all.map(\.file) {
            try ClientDirectory(path: directory.path, mode: 0o600)
                .write(ClientFile(name: file.name, bytes: Array(file.text.utf8)))
        }
        return requests
    }

    private struct Tried {
        let probe: ClientProbe
        let program: String
        let run: ClientRun
    }

    /// - Returns: The finding on the client; and that on the provider's refusal, whoever asks.
    private func examine(
        _ tried: Tried,
        _ environment: [String],
        _ requests: RequestRecord,
        _ shell: ShellSetting
    ) async -> (Finding, refusal: Finding?) {
        let (probe, run) = (tried.probe, tried.run)
        let version = await run.run(tried.program, probe.version, environment: environment)
        let subject = "\(probe.name) \(Self.number(in: (version?.output ?? "") + (version?.errors ?? "")))"
        let request = ClientProbe.Request(url: url.url, account: "", directory: run.directory)
        await requests.forget()
        guard let outcome = await run.run(tried.program, probe.arguments(request), environment: environment) else {
            return (Finding(subject, .fails, "\(tried.program) cannot be started"), nil)
        }
        let seen = await requests.wait()
        let option = "--config \(shellQuoted(configuration.file))"
        guard let seen, let status = probe.status(outcome.output, outcome.errors) else {
            let words =
                seen == nil
                ? "no request of its own reached a proxy that it was given: \(outcome.complaint)"
                : "it had no answer: \(outcome.complaint)"
            let remedy = "paraph exec -v \(option) -- \(probe.program) …   # shows what the proxy has to say of it"
            return (Finding(subject, .fails, words, remedy: remedy), nil)
        }
        var finding = Finding(subject, .works, "through paraph exec: \(status)")
        let refusal = seen.isRefusal ? refusal(seen) : nil
        if refusal != nil {
            finding.words += ", for the provider refuses the account"
        } else if let error = seen.error {
            finding.verdict = .fails
            finding.words += ", the proxy's own answer (\(error)): \(seen.details ?? "")"
            finding.remedies = otherAccount.map { ["paraph doctor \(option) --account \(shellQuoted($0))"] } ?? []
        } else if status == 401 || status == 403 {
            finding.verdict = .warns
            let details = seen.details.map { ": \($0)" } ?? ""
            finding.words += ", the provider refuses it\(details); --url names a request that it should allow"
        }
        guard shell.isSetUp, probe.canNameAccount else { return (finding, refusal) }
        let problem = await problemInShell(tried)
        finding.words += problem == nil ? "; in this shell: works" : "\nin this shell: \(problem ?? "")"
        if problem != nil {
            finding.verdict = .fails
            finding.remedies.append(shell.remedy)
        }
        return (finding, refusal)
    }

    private func refusal(_ seen: RequestRecord.Entry) -> Finding {
        let api = configuration.proxy.router.apis.route(for: url.authority).map { "apis.\($0.name)" } ?? ""
        let account = seen.account ?? account ?? Account.defaultName
        var finding = Finding(
            "account",
            .fails,
            "\(api).accounts.\(account): \(seen.details ?? "the provider refuses it")"
        )
        finding.isProvenWrong = true
        return finding
    }

    /// The account to ask as, where requests that name nobody are nobody's.
    private var otherAccount: String? {
        guard account == nil, let route = configuration.proxy.router.apis.route(for: url.authority) else { return nil }
        let names = configuration.proxy.apis[route.index].accounts.map(\.name)
        return names.contains(Account.defaultName) ? nil : names.first
    }

    /// The running proxy itself refuses an account that nobody has: a client that sees that has come through TLS.
    private func problemInShell(_ tried: Tried) async -> String? {
        let nobody = "paraph-doctor-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let request = ClientProbe.Request(url: url.url, account: nobody, directory: tried.run.directory)
        let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" } + ["GIT_TERMINAL_PROMPT=0"]
        guard let outcome = await tried.run.run(tried.program, tried.probe.arguments(request), environment: environment)
        else { return "it cannot be started" }
        switch tried.probe.status(outcome.output, outcome.errors) {
        case 403: return nil
        case 407: return "the proxy asks for a password (407)"
        case let status?:
            return "the answer (\(status)) is not the proxy's: it does not use it for \(url.authority.host)"
        case nil: return outcome.complaint
        }
    }

    private func environment(_ clients: ClientEnvironment) -> [String] {
        let entries = CommandEnvironment.entries(
            present: ProcessInfo.processInfo.environment.map { Array("\($0)=\($1)".utf8) },
            removed: configuration.secretVariables.union(clients.removed),
            assigned: clients.variables + [("GIT_TERMINAL_PROMPT", "0")]
        )
        return entries.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The first word that looks like a version.
    private static func number(in text: String) -> String {
        // A virtual machine of Java's says first what its options are.
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("Picked up ") }
        let words = lines.joined(separator: " ").prefix(400).split { character in
            !(character.isLetter || character.isNumber || [".", "-", "_"].contains(character))
        }
        let number = words.first { word in
            let digits = word.drop { $0.isLetter }
            return digits.first?.isNumber == true && digits.contains(".")
        }
        return number.map { String($0.drop { $0.isLetter }.prefix(16)) } ?? ""
    }
}

/// The finding on whether this shell's variables send programs to the proxy of the configuration.
struct ShellSetting: Sendable {
    let finding: Finding
    let remedy: String
    /// Indicates whether the variables name the file, and it is there.
    let isSetUp: Bool

    init(_ configuration: Configuration, proxyIsRunning: Bool) {
        let environment = ProcessInfo.processInfo.environment
        let client = configuration.access.clients.first.map { " --client \(shellQuoted($0.name))" } ?? ""
        remedy = "eval \"$(paraph env --config \(shellQuoted(configuration.file))\(client))\""
        let value = environment["https_proxy"] ?? environment["HTTPS_PROXY"] ?? ""
        let port = configuration.proxy.address.port
        // User information and a slash at the end aside.
        let isNamed = value.split(separator: "@").last?.split(separator: "/").last?.hasSuffix(":\(port)") == true
        isSetUp = isNamed && proxyIsRunning
        let subject = "this shell"
        if isSetUp {
            finding = Finding(subject, .works, "HTTPS_PROXY names the proxy that runs")
        } else if isNamed {
            let words = "HTTPS_PROXY names the proxy, which does not run: programs started here reach nothing"
            finding = Finding(
                subject,
                .fails,
                words,
                remedy: "paraph run --config \(shellQuoted(configuration.file))"
            )
        } else {
            let words = value.isEmpty ? "HTTPS_PROXY is not set" : "HTTPS_PROXY names another proxy"
            finding = Finding(
                subject,
                .warns,
                "\(words): programs started here, other than by paraph exec, do not use the proxy",
                remedy: remedy
            )
        }
    }
}
