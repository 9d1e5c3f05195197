extension ClientTranscript {
    /// Reads what `curl --verbose` writes on standard error: `> ` before what it sent, `< ` before what it received.
    init(verboseOutput: String) {
        var sent = HeadCollector()
        var received = HeadCollector()
        for line in verboseOutput.split(whereSeparator: \.isNewline) {
            switch line.prefix(2) {
            case "> ", ">": sent.append(line)
            case "< ", "<": received.append(line)
            case "* ":
                let words = line.dropFirst(2).drop { $0 == " " }
                if words.hasPrefix("issuer: ") { certificateIssuer = String(words.dropFirst(8)) }
            default:
                if line.hasPrefix("curl: ") { failure = String(line) }
            }
        }
        self.sent = sent.heads
        self.received = received.heads
    }

    private struct HeadCollector {
        private(set) var heads: [[String]] = []
        private var isInHead = false

        mutating func append(_ line: Substring) {
            let content = String(line.dropFirst(2))
            if content.isEmpty {
                isInHead = false
            } else if isInHead {
                heads[heads.count - 1].append(content)
            } else {
                heads.append([content])
                isInHead = true
            }
        }
    }
}
