import AdminServer

/// The finding of `paraph doctor` about one thing: a row of its table.
struct Finding: Sendable {
    enum Verdict: String, Sendable {
        case works = "ok"
        /// The part works now, or was meant so; but it should be known.
        case warns = "note"
        case fails = "FAILS"
        /// The state cannot be found out, or there is nothing to find out.
        case leftOut = "-"
    }

    /// The subject in a word or two.
    var subject: String
    var verdict: Verdict
    /// A sentence; may have several lines.
    var words: String
    /// The lines that a person types or writes to put it right, as they stand; empty when there is nothing to do.
    var remedies: [String]
    /// Indicates whether the configuration is wrong for certain, and nothing but it.
    var isProvenWrong = false

    init(_ subject: String, _ verdict: Verdict, _ words: String, remedy remedies: String...) {
        self.subject = subject
        self.verdict = verdict
        self.words = words
        self.remedies = remedies
    }
}

extension Finding {
    /// Seconds that clocks may be apart; providers take some minutes.
    private static let tolerance = 30

    /// Describes what a provider's clock says beside this machine's.
    ///
    /// - Parameters:
    ///   - server: The server whose clock it is.
    ///   - offset: Its time minus this machine's, in seconds; nil when it does not tell the time.
    ///   - isFollowed: Whether requests go by that clock once it has refused this machine's.
    init(clockOf server: String, offset: Int64?, isFollowed: Bool) {
        guard let offset else {
            self.init("clock", .leftOut, "\(server) does not tell the time")
            return
        }
        let distance = offset.magnitude
        guard distance > Self.tolerance else {
            self.init("clock", .works, "that of \(server) and this machine's are \(distance) s apart")
            return
        }
        let words = "that of \(server) is \(distance) s \(offset > 0 ? "ahead of" : "behind") this machine's"
        self.init(
            "clock",
            isFollowed ? .warns : .fails,
            isFollowed ? "\(words); it is followed when it refuses a timestamp" : words,
            remedy: "timedatectl set-ntp true   # if it is this machine's that is wrong"
        )
    }
}

extension DoctorFinding {
    init(_ finding: Finding) {
        let verdict: Verdict =
            switch finding.verdict {
            case .works: .works
            case .warns: .warns
            case .fails: .fails
            case .leftOut: .leftOut
            }
        self.init(finding.subject, verdict, finding.words, remedies: finding.remedies)
    }
}

/// Findings as a table for a person.
struct FindingTable {
    let style: TextStyle
    /// The width of the first column.
    let width: Int

    init(style: TextStyle, subjects: [String]) {
        self.style = style
        width = subjects.map(\.count).max() ?? 0
    }

    /// A row, and under it a line for each remedy.
    func row(_ finding: Finding) -> String {
        let verdict = Self.padded(finding.verdict.rawValue, to: 5)
        let coloured =
            switch finding.verdict {
            case .works: style.good(verdict)
            case .fails: style.bad(verdict)
            case .warns, .leftOut: verdict
            }
        let margin = Self.padded("", to: width + 9)
        let lines = finding.words.split(separator: "\n", omittingEmptySubsequences: true)
        let words = lines.map { "\(TerminalText($0))" }.joined(separator: "\n\(margin)")
        let fixes = finding.remedies.map { "\n\(margin)\(style.bold("fix:")) \(TerminalText($0))" }
        return "\(Self.padded(finding.subject, to: width))  \(coloured)  \(words)\(fixes.joined())"
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
