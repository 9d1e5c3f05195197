import NIOCore
import Settings

/// The parts that the exchanges of one event loop share under one configuration.
final class ExchangeContext {
    let loop: any EventLoop
    let clock: any ProxyClock
    let settings: ProxySettings
    let apis: [APIContext]
    let usages: ClientUsages
    let tokens: WorkerTokens
    let signatures: LoopSignatures
    let meter: RequestMeter
    let decisions: DecisionLog
    let reporter: RequestReporter
    let scratch = HeadScratch()
    private var inFlight = ExchangesInFlight()

    init(
        loop: any EventLoop,
        clock: any ProxyClock,
        settings: ProxySettings,
        apis: [APIContext],
        usages: ClientUsages,
        tokens: WorkerTokens,
        signatures: LoopSignatures,
        meter: RequestMeter,
        decisions: DecisionLog,
        reporter: RequestReporter
    ) {
        self.loop = loop
        self.clock = clock
        self.settings = settings
        self.apis = apis
        self.usages = usages
        self.tokens = tokens
        self.signatures = signatures
        self.meter = meter
        self.decisions = decisions
        self.reporter = reporter
    }

    // MARK: Use

    func exchangeBegan() {
        inFlight.began()
    }

    /// Counts the end of an exchange; once for each that began.
    func exchangeEnded() {
        reportUnused(inFlight.ended())
    }

    /// Another worker has taken its place.
    ///
    /// - Parameter onUnused: Called once, when no request is left.
    func retire(onUnused: @escaping () -> Void) {
        reportUnused(inFlight.retire(onUnused: onUnused))
    }

    private func reportUnused(_ onUnused: (() -> Void)?) {
        guard let onUnused else { return }
        reporter.flush()
        onUnused()
    }
}

@available(*, unavailable)
extension ExchangeContext: Sendable {}
