import ServiceLifecycle
import UnixSignals

/// Lasts until the first signal that ends the proxy in order.
///
/// A service group could trap them itself, but only once it runs: the listeners are open by then, and a signal in
/// between would end the process with requests in flight.
struct Ending: Service {
    let signals: UnixSignalsSequence

    func run() async {
        for await _ in signals.cancelOnGracefulShutdown() { return }
    }
}
