import ServiceLifecycle
import UnixSignals

/// Lasts until the proxy is to end in order: at the first signal, or when the admin listener is told so. A second
/// signal means that nobody wants to wait: soon after it the process ends, whatever still runs.
///
/// A service group could trap signals itself, but only once it runs: the listeners are open by then, and a signal in
/// between would end the process with requests in flight.
final class Ending: Service {
    /// The longest time from the second signal to the end.
    private static let shutdownGrace = Duration.seconds(5)

    private let signals: UnixSignalsSequence
    private let cutShort: @Sendable () -> Void
    private let giveUp: @Sendable () -> Never
    private let beginning: AsyncStream<Never>
    private let begins: AsyncStream<Never>.Continuation

    /// - Parameters:
    ///   - cutShort: Cuts off the requests in flight.
    ///   - giveUp: Ends the process, in which something waits for what does not come.
    init(
        signals: UnixSignalsSequence,
        cutShort: @escaping @Sendable () -> Void,
        giveUp: @escaping @Sendable () -> Never
    ) {
        self.signals = signals
        self.cutShort = cutShort
        self.giveUp = giveUp
        (beginning, begins) = AsyncStream.makeStream()
    }

    /// Ends the proxy in order, unless it ends already. Whoever sends a signal afterwards need not know of it:
    /// that is a first one still.
    func begin() {
        begins.finish()
    }

    func run() async {
        // Lasts as long as the process: this service has to be over for the others to end.
        Task { [signals, cutShort, giveUp, begins] in
            var received = signals.makeAsyncIterator()
            guard await received.next() != nil else { return }
            begins.finish()
            guard await received.next() != nil else { return }
            cutShort()
            try? await Task.sleep(for: Self.shutdownGrace)
            giveUp()
        }
        for await _ in beginning {}
    }
}
