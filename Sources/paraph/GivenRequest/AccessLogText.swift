import Bytes

/// Lines of the proxy's access log, in JSON or as text: those of requests, with what a log has of them.
struct AccessLogText {
    private let requests: [LoggedRequest]

    /// Finds the lines of requests; nil where no line is one.
    init?(_ text: String) {
        requests = text.split(whereSeparator: \.isNewline).compactMap { LoggedRequest(line: $0) }
        if requests.isEmpty { return nil }
    }

    /// Returns what a line of the log in JSON says that is of no request; nil for something else.
    static func otherMessage(_ line: String) -> String? {
        let object = line.firstIndex(of: "{").flatMap { JSONObject(Array(line[$0...].utf8)) }
        guard let object, object["time"] != nil, object["level"] != nil, case .text(let message)? = object["message"]
        else { return nil }
        return message
    }

    /// The requests: each a method, a host and a path.
    var list: [String] { requests.map { "\($0.method) \($0.authority)\($0.path)" } }

    /// - Parameter index: One of ``list``.
    func request(_ index: Int) -> GivenRequest { requests[index].request }
}
