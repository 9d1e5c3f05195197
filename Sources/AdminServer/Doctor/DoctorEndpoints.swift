import Bytes
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// `/doctor`: the checks of `paraph doctor`, which are run when somebody asks, for one at a time.
final class DoctorEndpoints: Sendable {
    /// Runs the checks, and tells each finding as it is there. Ends early where its task is cancelled.
    typealias Checks = @Sendable (_ tell: @escaping @Sendable (DoctorFinding) -> Void) async -> Void

    /// A run of the checks, for as long as somebody holds it.
    private final class Turn: Sendable {}

    private struct State {
        weak var turn: Turn?
    }

    private let checks: Checks
    private let logger: Logger
    private let state = Mutex(State())

    init(checks: @escaping Checks, logger: Logger) {
        self.checks = checks
        self.logger = logger
    }

    /// Answers with a line of JSON for each finding, as it is there, and one that says that these are all. The checks
    /// end early when the client leaves or the listener ends.
    ///
    /// - Parameter client: The address of who asks, for the log.
    func run(_ request: Request, client: String, until ends: ListenerStreams) throws(AdminRefusal) -> Response {
        let turn = try begin()
        logger.info("told to run the checks of paraph doctor", metadata: ["client": "\(client)"])
        let (findings, newFindings) = AsyncStream.makeStream(of: DoctorFinding?.self)
        let body = ResponseBody { [self] writer in
            let running = Task {
                await checks { newFindings.yield($0) }
                if !Task.isCancelled { newFindings.yield(nil) }
                // The next run may begin as soon as the answer has ended.
                end(turn)
                newFindings.finish()
            }
            let stop = ends.add { newFindings.finish() }
            defer {
                stop.remove()
                running.cancel()
            }
            try await request.body.consumeWithInboundCloseHandler { _ in
                try await Self.write(findings, to: &writer)
            } onInboundClosed: {
                newFindings.finish()
            }
            try await writer.finish(nil)
        }
        var fields: HTTPFields = [.contentType: "application/x-ndjson", .cacheControl: "no-store"]
        fields[.xContentTypeOptions] = "nosniff"
        return Response(status: .ok, headers: fields, body: body)
    }

    private func begin() throws(AdminRefusal) -> Turn {
        let turn = Turn()
        let isFirst = state.withLock { state in
            guard state.turn == nil else { return false }
            state.turn = turn
            return true
        }
        guard isFirst else { throw .doctorIsBusy }
        return turn
    }

    private func end(_ turn: Turn) {
        state.withLock { if $0.turn === turn { $0.turn = nil } }
    }

    @concurrent
    private static func write(
        _ findings: AsyncStream<DoctorFinding?>,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var failures = 0
        for await finding in findings {
            if finding?.verdict == .fails { failures += 1 }
            let line = finding?.json ?? .object([("done", .boolean(true)), ("failures", .integer(failures))])
            try await writer.write(ByteBuffer(string: "\(line.line)\n"))
        }
    }
}
