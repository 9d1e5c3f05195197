/// What a client has sent and received, as the client itself tells it.
struct ClientTranscript {
    /// The command as it was run, in lines for a shell; empty when it was no command.
    var command: [String] = []
    /// Why it was no curl; nil when it was.
    var remark: String?
    /// The heads it sent, line by line: CONNECT, then the request.
    var sent: [[String]] = []
    var sentBody = ""
    /// Who issued the certificate that it was shown; nil when it does not tell.
    var certificateIssuer: String?
    /// The heads it received, line by line.
    var received: [[String]] = []
    var receivedBody = ""
    /// What went wrong, in its own words.
    var failure: String?
}
