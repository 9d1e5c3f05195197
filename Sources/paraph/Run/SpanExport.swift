import ForwardProxy
import Logging
import OpenTelemetry
import ServiceLifecycle

/// Sends the spans of requests to the collector that the configuration names, a batch at a time. What it does not take
/// is dropped and counted.
struct SpanExport: Service {
    /// The time for which spans are gathered.
    private static let delay = Duration.seconds(1)
    /// The time for what is left when the proxy has stopped.
    private static let lastTime = Duration.seconds(2)

    private let proxy: ProxyServer
    private let collector: CollectorClient

    init(proxy: ProxyServer, logger: Logger) {
        self.proxy = proxy
        collector = CollectorClient(logger: logger)
    }

    func run() async throws {
        let wakeUps = proxy.spans.wakeUps()
        await cancelWhenGracefulShutdown {
            for await _ in wakeUps {
                // What is left is sent once no more is to come.
                guard (try? await Task.sleep(for: Self.delay)) != nil else { break }
                await send()
            }
        }
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await send() }
            tasks.addTask { try? await Task.sleep(for: Self.lastTime) }
            await tasks.next()
            tasks.cancelAll()
        }
    }

    private func send() async {
        while !Task.isCancelled, case let spans = proxy.spans.take(), !spans.isEmpty {
            guard let settings = proxy.tracing, let rejected = await collector.take(spans, at: settings) else {
                proxy.spans.noteRefused(spans.count)
                continue
            }
            proxy.spans.noteExported(spans.count - rejected)
            if rejected > 0 { proxy.spans.noteRejected(rejected) }
        }
    }
}
