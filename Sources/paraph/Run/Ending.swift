import ServiceLifecycle
import UnixSignals

/// Lasts until the first signal that ends the proxy in order; a second one means that nobody wants to wait.
///
/// A service group could trap them itself, but only once it runs: the listeners are open by then, and a signal in
/// between would end the process with requests in flight.
struct Ending: Service {
    let signals: UnixSignalsSequence
    let hurry: @Sendable () -> Void

    func run() async {
        var received = signals.makeAsyncIterator()
        // Nothing else ends the services in order, so that nothing but a signal need be waited for here.
        guard await received.next() != nil else { return }
        // Lasts as long as the process: this service has to be over for the others to end.
        Task { [received, hurry] in
            var received = received
            if await received.next() != nil { hurry() }
        }
    }
}
