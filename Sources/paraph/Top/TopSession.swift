import Dispatch
import ForwardProxy
import FoundationEssentials
import Glibc
import UnixSignals

/// `paraph top` on a terminal, until a key or a signal ends it.
struct TopSession {
    private enum Event: Sendable {
        case began(AdminEvents.List)
        case told(AdminEvents.Told)
        /// The requests that were in flight, asked for when those up to a number had begun.
        case inFlight([TopRequestInFlight], known: Int)
        case lost(AdminEvents.Failure)
        case key(UInt8)
        case tick
        case end
    }

    private static let frame = Duration.milliseconds(100)
    /// The time after which it asks what is in flight: what came too fast was left out of the stream.
    private static let review = Duration.seconds(5)
    private static let pause = Duration.seconds(1)

    let events: AdminEvents
    let filter: String
    let style: TextStyle

    func run() async throws {
        // Before the terminal is changed, so that it is changed back.
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup, .sigquit)
        // Answers before the screen is taken, or says why not where it can be read.
        let kept = try await events.list()
        let (occurrences, source) = AsyncStream<Event>.makeStream(bufferingPolicy: .bufferingNewest(4_096))
        source.yield(.began(kept))
        let terminal = Terminal()
        defer { terminal.restore() }
        let keys = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO)
        keys.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            guard count > 0 else { return keys.cancel() }
            // An arrow key is three bytes that mean nothing here.
            guard count < 3 || bytes[0] != 0x1B else { return }
            for byte in bytes[..<count] { source.yield(.key(byte)) }
        }
        if isatty(STDIN_FILENO) == 1 { keys.activate() }
        let tasks = [
            Task { for await _ in signals { source.yield(.end) } },
            Task {
                while !Task.isCancelled {
                    source.yield(.tick)
                    try? await Task.sleep(for: Self.frame)
                }
            },
            Task { await follow(source) },
        ]
        defer { for task in tasks { task.cancel() } }
        if let failure = await show(occurrences, source, on: terminal) { throw failure }
    }

    /// - Returns: Why nothing is shown any more; nil: whoever looks on has seen enough.
    private func show(
        _ occurrences: AsyncStream<Event>,
        _ source: AsyncStream<Event>.Continuation,
        on terminal: Terminal
    ) async -> AdminEvents.Failure? {
        let start = ContinuousClock.now
        var reviewed = start
        var screen = TopScreen(address: "\(events.address)", filter: filter)
        for await event in occurrences {
            switch event {
            case .began(let list):
                screen.begin(with: list.requests)
                let now = ContinuousClock.now - start
                for request in list.inFlight { screen.take(request, since: now - request.age(at: Date())) }
            case .told(.begun(let request)): screen.take(request, since: ContinuousClock.now - start)
            case .told(.ended(let request)): screen.take(request, at: ContinuousClock.now - start)
            case .inFlight(let requests, let known): screen.review(requests, known: known)
            case .lost(let failure):
                guard !failure.isFinal else { return failure }
                screen.problem = "\(failure); trying again"
            case .key(let key): if screen.press(key) { return nil }
            case .end: return nil
            case .tick:
                if ContinuousClock.now - reviewed >= Self.review {
                    reviewed = .now
                    Task { [events, known = screen.latestBegun] in
                        if let requests = try? await events.inFlight() {
                            source.yield(.inFlight(requests, known: known))
                        }
                    }
                }
                let (width, height) = terminal.size
                let lines = screen.lines(width: width, height: height, at: ContinuousClock.now - start, style: style)
                terminal.draw(lines, style: style)
            }
        }
        return nil
    }

    /// Follows the requests, and again when they have ended.
    private func follow(_ source: AsyncStream<Event>.Continuation) async {
        while !Task.isCancelled {
            do {
                try await events.follow(opened: {
                    if let kept = try? await events.list() { source.yield(.began(kept)) }
                }) { source.yield(.told($0)) }
            } catch let failure as AdminEvents.Failure {
                source.yield(.lost(failure))
            } catch {
                source.yield(.lost(AdminEvents.Failure(description: SocketErrorText.describe(error))))
            }
            try? await Task.sleep(for: Self.pause)
        }
    }
}
