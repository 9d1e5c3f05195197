/// Lines of the proxy's access log, in JSON or as text: those of requests, with what a log has of them.
struct AccessLogText {
    private let requests: [LoggedRequest]

    /// Nil where no line is one of a request.
    init?(_ text: String) {
        requests = text.split(whereSeparator: \.isNewline).compactMap { line in
            LoggedRequest(json: Array(line.utf8)) ?? LoggedRequest(text: line)
        }
        if requests.isEmpty { return nil }
    }

    /// The requests: each a method, a host and a path.
    var list: [String] { requests.map { "\($0.method) \($0.authority)\($0.path)" } }

    /// - Parameter index: One of ``list``.
    func request(_ index: Int) -> GivenRequest { requests[index].request }
}
