import Bytes
import HummingbirdCore
import Inspection
import NIOCore

/// The server-sent events of one onlooker: a request each that begins or ends, and a comment when there has been none
/// for a while, so that whoever is between does not take the connection for dead.
///
/// No more wait than the journal keeps for an onlooker and ``mostWaiting`` here; the oldest go first.
struct InspectorEvents: Sendable {
    private static let mostWaiting = 64
    private static let heartbeat = Duration.seconds(15)

    private let requests: AsyncStream<RequestJournal.Event>
    private let events: AsyncStream<ByteBuffer>
    private let newEvents: AsyncStream<ByteBuffer>.Continuation

    init(_ requests: AsyncStream<RequestJournal.Event>) {
        self.requests = requests
        (events, newEvents) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.mostWaiting))
    }

    /// Ends the events, once or again.
    func finish() {
        newEvents.finish()
    }

    /// Writes the events until ``finish()``, or until they cannot be written.
    @concurrent
    func write(to writer: inout any ResponseBodyWriter) async throws {
        let requests = requests
        let newEvents = newEvents
        let pump = Task {
            for await request in requests { newEvents.yield(Self.event(request)) }
        }
        let heart = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: Self.heartbeat)
                newEvents.yield(Self.comment)
            }
        }
        defer {
            pump.cancel()
            heart.cancel()
        }
        // The head goes with the first bytes.
        try await writer.write(Self.comment)
        for await event in events { try await writer.write(event) }
    }

    private static let comment = ByteBuffer(string: ":\n\n")

    private static func event(_ event: RequestJournal.Event) -> ByteBuffer {
        switch event {
        case .begun(let request): ByteBuffer(string: "event: begun\ndata: \(request.beginning.line)\n\n")
        case .ended(let request):
            ByteBuffer(string: "id: \(request.id)\nevent: request\ndata: \(request.summary.line)\n\n")
        }
    }
}
