import Bytes
import HTTP1Codec
import Inspection
import Logging
import NIOCore
import Routing
import Settings

/// Tells of the requests of one event loop when they begin and end: in the access log, to whoever looks on, and in traces.
final class RequestReporter {
    private let accessLog: AccessLog
    private let journal: RequestJournal
    private let tracer: RequestTracer?
    private let apis: [APIContext]
    private let clock: any ProxyClock
    private var refusalReports = RateLimiter()
    /// Writes what requests that ended before have in the access log first.
    let logger: Logger

    /// - Parameter tracer: Nil when nothing is traced.
    init(
        accessLog: AccessLog,
        journal: RequestJournal,
        tracer: RequestTracer?,
        apis: [APIContext],
        clock: any ProxyClock,
        logger: Logger
    ) {
        self.accessLog = accessLog
        self.journal = journal
        self.tracer = tracer
        self.apis = apis
        self.clock = clock
        self.logger = accessLog.ordering(logger)
    }

    /// Indicates whether requests are recorded for whoever looks on.
    var isRecording: Bool { journal.isRecording }

    var isTracing: Bool { tracer != nil }

    /// Indicates whether anything is told of a request that is over.
    var tellsEnds: Bool { accessLog.isOn || isRecording || isTracing }

    /// Tells whoever looks on that a request, or a tunnel, has begun.
    ///
    /// - Returns: Its number in the journal; nil when it is not recorded.
    func began(_ summary: RequestSummary) -> Int? {
        guard journal.isRecording else { return nil }
        return journal.begin(InspectedRequest(summary, head: nil, hiding: nil, time: time(of: summary)))
    }

    /// Returns the time at which the head of a request had come, as RFC 3339 has it.
    private func time(of summary: RequestSummary) -> String {
        let since = Int64(summary.end.uptimeNanoseconds - summary.record.start.uptimeNanoseconds)
        var text = ByteBuffer()
        var format = LogClock()
        format.write(clock.wallTime.advanced(by: .nanoseconds(-since)), into: &text)
        return String(buffer: text)
    }

    /// Tells of what is over.
    func tell(_ summary: RequestSummary, _ head: RequestHead?) {
        accessLog.append(summary)
        tracer?.trace(summary)
        guard journal.isRecording else { return }
        let field = summary.api.flatMap { name in apis.first { $0.settings.name == name }?.tokenField }
        var request = InspectedRequest(summary, head: head, hiding: field, time: time(of: summary))
        summary.record.sent?.complete(&request)
        journal.append(request)
    }

    /// Returns the properties of a request that only its spans have; nil where nothing is traced.
    func traced(scheme: URIScheme?, upstream: URIScheme?) -> TracedRequest? {
        isTracing ? TracedRequest(scheme: scheme, upstreamScheme: upstream) : nil
    }

    /// Tells of a request that the provider refused where there is no access log, whose line says the same: once in a
    /// while for each cause.
    func reportRefusal(_ sentence: String, cause: String, status: Int, _ route: RequestRoute) {
        guard !accessLog.isOn, let account = route.accountReference else { return }
        let api = apis[account.api].settings.name
        let name = apis[account.api].name(of: account)
        guard refusalReports.permits("\(api)/\(name)/\(cause)", now: clock.now) else { return }
        logger.warning(
            "the provider refused a request",
            metadata: [
                "api": "\(api)", "account": "\(name)", "status": .stringConvertible(status), "reason": "\(cause)",
                "detail": "\(sentence)",
            ]
        )
    }

    /// Writes what waits to be written.
    func flush() {
        accessLog.flush()
    }
}

@available(*, unavailable)
extension RequestReporter: Sendable {}
