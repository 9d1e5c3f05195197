/// The record of what a client has sent and received, as the client itself tells it.
struct ClientTranscript {
    /// The command as it was run, in lines for a shell; empty when it was no command.
    var command: [String] = []
    /// The reason why it was no curl; nil when it was.
    var remark: String?
    /// The heads it sent, line by line: CONNECT, then the request.
    var sent: [[String]] = []
    var sentBody = ""
    /// The issuer of the certificate that it was shown; nil when it does not tell.
    var certificateIssuer: String?
    /// The heads it received, line by line.
    var received: [[String]] = []
    var receivedBody = ""
    /// The failure, in its own words.
    var failure: String?
}

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
