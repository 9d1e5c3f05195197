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

    private struct Begun {
        let request: TopRequestInFlight
        let since: Duration
    }

    private var requests: [TopRequest] = []
    /// The requests in flight by their numbers.
    private var inFlight: [Int: Begun] = [:]
    /// The requests that were in flight when it was paused, and the time then; nil: it is not.
    private var pausedInFlight: (requests: [Begun], time: Duration)?
    /// The highest number of a request that has begun.
    private(set) var latestBegun = 0
    /// The time of the latest screen.
    private var time = Duration.zero
    /// Indicates whether a request has come from a client with a name: some are configured.
    private var showsClient = false
    private var held: [TopRequest] = []
    private var counts: [Count] = []
    private var lastSequence: Int?
    private var filter: String
    private var isEditing = false
    private var isPaused = false
    /// The address of the proxy that it looks at.
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
        lastSequence = kept.last?.completion.sequence
        if kept.contains(where: { $0.head.client != nil }) { showsClient = true }
        inFlight = [:]
        latestBegun = 0
        problem = nil
    }

    /// Takes a request that has begun.
    ///
    /// - Parameter since: The time when it did.
    mutating func take(_ request: TopRequestInFlight, since: Duration) {
        latestBegun = max(latestBegun, request.begun)
        if request.head.client != nil { showsClient = true }
        guard inFlight.count < Self.mostRequests, inFlight[request.begun] == nil else { return }
        inFlight[request.begun] = Begun(request: request, since: since)
    }

    /// Forgets requests whose ends were left out of the stream.
    ///
    /// - Parameters:
    ///   - requests: All that were in flight at some time.
    ///   - known: The highest number of a request that had begun by then.
    mutating func review(_ requests: [TopRequestInFlight], known: Int) {
        let numbers = Set(requests.map(\.begun))
        inFlight = inFlight.filter { $0.key > known || numbers.contains($0.key) }
    }

    /// Takes a request that has just ended.
    ///
    /// - Parameter time: Since any one moment.
    mutating func take(_ request: TopRequest, at time: Duration) {
        let sequence = request.completion.sequence
        if let begun = request.completion.begun { inFlight[begun] = nil }
        if let lastSequence, sequence <= lastSequence { return }
        if request.head.client != nil { showsClient = true }
        // What came too fast was left out of the stream, but its numbers were not.
        counts.append(Count(time: time, requests: lastSequence.map { sequence - $0 } ?? 1, request: request))
        lastSequence = sequence
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
        pausedInFlight = isPaused ? (longestInFlight, time) : nil
        requests = Array((requests + held).suffix(Self.mostRequests))
        held = []
    }

    private var longestInFlight: [Begun] { inFlight.values.sorted { $0.request.begun < $1.request.begun } }

    /// Returns the screen, line by line: the requests in the order of their ends, and then those in flight, the one
    /// that has taken longest first, in half of the lines at most.
    mutating func lines(width: Int, height: Int, at time: Duration, style: TextStyle) -> [String] {
        self.time = time
        counts.removeAll { time - $0.time > Self.window }
        let shown = requests.filter { $0.matches(filter) }
        var lines = [
            Self.cut("paraph top  \(address)  \(numbers)", width, style.bold),
            Self.cut(TopLine.heading(showsClient: showsClient), width, style.dim),
        ]
        let room = max(height - 3, 0)
        let (begun, now) = pausedInFlight ?? (longestInFlight, time)
        let going = begun.filter { $0.request.matches(filter) }.prefix((room + 1) / 2)
        if shown.isEmpty, going.isEmpty {
            lines.append(
                Self.cut(requests.isEmpty ? "No requests yet." : "No request matches the filter.", width) { $0 }
            )
        } else {
            lines += shown.suffix(room - going.count).map {
                TopLine($0).text(width: width, showsClient: showsClient, style: style)
            }
            lines += going.map {
                TopLine($0.request, after: now - $0.since).text(width: width, showsClient: showsClient, style: style)
            }
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
            let count = counts.count { ($0.request.completion.status ?? 0) / 100 == digit }
            return count > 0 ? "\(digit)xx \(count)" : nil
        }
        let refused = counts.count { $0.request.completion.error != nil }
        let times = counts.map(\.request.completion.times.waited).sorted()
        var parts = [rate] + classes
        if !inFlight.isEmpty { parts.append("in flight \(inFlight.count)") }
        if refused > 0 { parts.append("by the proxy \(refused)") }
        if !times.isEmpty {
            let (median, slow) = (times[(times.count - 1) / 2], times[(times.count * 95 + 99) / 100 - 1])
            parts.append("p50 \(TopRequestHead.duration(median))  p95 \(TopRequestHead.duration(slow))")
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
