import Bytes

/// The contents of the screen: the latest requests, and the numbers of the last ten seconds.
struct TopScreen {
    private static let mostRequests = 1_000
    /// The time that the numbers are of.
    private static let window = Duration.seconds(10)

    private struct Count {
        let time: Duration
        let requests: Int
        let request: TopRequest
    }

    private var requests: [TopRequest] = []
    private var held: [TopRequest] = []
    private var counts: [Count] = []
    private var lastSequence: Int?
    private var filter: String
    private var isEditing = false
    private var isPaused = false
    /// Whom it looks at.
    let address: String
    /// The reason why nothing comes; nil: all is well.
    var problem: String?

    init(address: String, filter: String) {
        self.address = address
        self.filter = filter
    }

    /// Takes the requests that were kept when it began.
    mutating func begin(with kept: [TopRequest]) {
        requests = Array(kept.suffix(Self.mostRequests))
        held = []
        lastSequence = kept.last?.sequence
        problem = nil
    }

    /// Takes a request that has just ended.
    ///
    /// - Parameter time: Since any one moment.
    mutating func take(_ request: TopRequest, at time: Duration) {
        if let lastSequence, request.sequence <= lastSequence { return }
        // What came too fast was left out of the stream, but its numbers were not.
        counts.append(Count(time: time, requests: lastSequence.map { request.sequence - $0 } ?? 1, request: request))
        lastSequence = request.sequence
        if isPaused { held.append(request) } else { requests.append(request) }
        if held.count > Self.mostRequests { held.removeFirst(held.count - Self.mostRequests) }
        if requests.count > Self.mostRequests { requests.removeFirst(requests.count - Self.mostRequests) }
    }

    /// Takes a key.
    /// - Returns: Whether it ends the command.
    mutating func press(_ key: UInt8) -> Bool {
        if isEditing {
            switch key {
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"): isEditing = false
            case 0x1B:
                isEditing = false
                filter = ""
            case 0x7F, 0x08: _ = filter.popLast()
            case 0x15: filter = ""
            case 0x20..<0x7F: filter.append(Character(Unicode.Scalar(key)))
            default: break
            }
            return false
        }
        switch key {
        case UInt8(ascii: "q"), UInt8(ascii: "Q"): return true
        case UInt8(ascii: "/"): isEditing = true
        case UInt8(ascii: "p"), UInt8(ascii: " "): pause()
        case UInt8(ascii: "c"): requests = []
        case 0x1B: filter = ""
        default: break
        }
        return false
    }

    private mutating func pause() {
        isPaused.toggle()
        requests = Array((requests + held).suffix(Self.mostRequests))
        held = []
    }

    /// Returns the screen, line by line, newest request last.
    mutating func lines(width: Int, height: Int, at time: Duration, style: TextStyle) -> [String] {
        counts.removeAll { time - $0.time > Self.window }
        let shown = requests.filter { $0.matches(filter) }
        var lines = [
            Self.cut("paraph top  \(address)  \(numbers)", width, style.bold),
            Self.cut(TopLine.heading, width, style.dim),
        ]
        let room = max(height - 3, 0)
        if shown.isEmpty {
            lines.append(
                Self.cut(requests.isEmpty ? "No requests yet." : "No request matches the filter.", width) { $0 }
            )
        } else {
            lines += shown.suffix(room).map { TopLine($0).text(width: width, style: style) }
        }
        lines = Array(lines.prefix(max(height - 1, 0)))
        lines += Array(repeating: "", count: max(height - 1 - lines.count, 0))
        lines.append(footer(width, style))
        return Array(lines.suffix(height))
    }

    private var numbers: String {
        let total = counts.reduce(0) { $0 + $1.requests }
        let rate = "\(total / 10).\(total % 10)/s"
        let classes = [2, 3, 4, 5].compactMap { digit -> String? in
            let count = counts.count { ($0.request.status ?? 0) / 100 == digit }
            return count > 0 ? "\(digit)xx \(count)" : nil
        }
        let refused = counts.count { $0.request.error != nil }
        let times = counts.map(\.request.times.total).sorted()
        var parts = [rate] + classes
        if refused > 0 { parts.append("by the proxy \(refused)") }
        if !times.isEmpty {
            let (median, slow) = (times[(times.count - 1) / 2], times[(times.count * 95 + 99) / 100 - 1])
            parts.append("p50 \(TopRequest.duration(median))  p95 \(TopRequest.duration(slow))")
        }
        return parts.joined(separator: "  ")
    }

    private func footer(_ width: Int, _ style: TextStyle) -> String {
        if let problem { return Self.cut(problem, width, style.bad) }
        if isEditing { return Self.cut("filter: \(filter)_", width, style.bold) }
        let state = isPaused ? "paused, \(held.count) wait  " : ""
        let filtered = filter.isEmpty ? "" : "filter: \(filter)  "
        return Self.cut("\(state)\(filtered)q quit  / filter  p pause  c clear", width, style.dim)
    }

    private static func cut(_ text: String, _ width: Int, _ set: (String) -> String) -> String {
        set(TextColumns.cut(PrintableText(text, escapesQuotes: false).description, to: width))
    }
}
