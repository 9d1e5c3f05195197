import ArgumentParser

/// Asks the running proxy whether it serves requests, or whether it is up.
struct Health: AsyncParsableCommand {
    /// The time between two questions of one that waits.
    private static let pause = Duration.milliseconds(100)

    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Ask the running proxy whether it is ready.",
        discussion: """
            For the probes of images that have no shell and no curl: asks for /readyz on the admin listener of the \
            configuration (on loopback where it listens on every address), which needs no token. Of the file nothing but \
            that address is read: no secret, no other file, and no mistake of the rest counts.

            Exits with 0 when requests are served, with 69 when they are not or nobody answers, and says what is not \
            ready; with 65 when the address cannot be told: the file is not there or no YAML, the listener is off, or it \
            has any free port.
            """
    )

    @OptionGroup
    var configurationOption: ConfigurationOption

    @Flag(
        help: ArgumentHelp(
            "Ask whether the proxy is up (/healthz), be it ready or not.",
            discussion: "For a liveness probe: one that stops, and still finishes requests, is up."
        )
    )
    var live = false

    @Option(help: ArgumentHelp("The time for the answer: 250ms, 3s, 1m.", valueName: "duration"))
    var timeout = ProbeTimeout(milliseconds: 3_000)

    @Option(
        help: ArgumentHelp(
            "Ask again until the proxy is ready, for as long as this: 10s, 1m.",
            discussion: "For whoever starts beside it: a container's hook, a script.",
            valueName: "duration"
        )
    )
    var wait: ProbeTimeout?

    func run() async throws {
        // Text of the file passes through this process, and secrets may stand in it.
        ProcessHardening.apply()
        let address = try await configurationOption.adminAddress()
        let probe = HealthProbe(address: address, timeout: timeout.amount, question: live ? .isLive : .isReady)
        let end = ContinuousClock.now + (wait?.duration ?? .zero)
        var problem = await probe.problem()
        while problem != nil, ContinuousClock.now < end {
            try await Task.sleep(for: Self.pause)
            problem = await probe.problem()
        }
        guard let problem else { return StandardOutput.print(live ? "live" : "ready") }
        StandardError.print("paraph: \(problem)")
        throw ExitCode.unavailable
    }
}
