import ParaphConfiguration

/// All that `paraph doctor` looks at but for the clients: what the proxy needs, whoever uses it.
struct ServiceExamination: Sendable {
    let configuration: Configuration
    /// Indicates whether the providers are asked for the time.
    let sendsRequests: Bool

    /// Tells the findings as they are there, in the order in which one thing needs the other. Ends early where the task
    /// is cancelled.
    ///
    /// - Returns: Whether the proxy of the configuration runs.
    @discardableResult
    func run(_ tell: ([Finding]) -> Void) async -> Bool {
        tell(ConfigurationExamination(configuration: configuration).findings())
        let listeners = await ListenerExamination(configuration: configuration).findings()
        tell(listeners.findings)
        let state = StateExamination(configuration: configuration)
        tell(await state.findingsOfAuthority())
        tell(await state.vaultFindings())
        let upstreams = UpstreamExamination(configuration: configuration)
        await upstreams.tellNames(tell)
        await upstreams.tellCertificates(tell)
        if sendsRequests { await upstreams.tellClocks(tell) }
        return listeners.proxyIsRunning
    }
}

/// The configuration itself: it has been read by now, so it has no mistakes.
private struct ConfigurationExamination {
    let configuration: Configuration

    func findings() -> [Finding] {
        [Finding("configuration", .works, configuration.summary)]
            + configuration.advice.map { advice in
                Finding("", advice.severity == .error ? .fails : .warns, advice.line(file: configuration.file))
            }
    }
}
