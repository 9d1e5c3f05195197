extension Story {
    func writeResponse(to page: inout Page) {
        page.title("5. What the client got")
        if let failure = transcript.failure { page.line(failure) }
        // The answer to CONNECT goes without saying where another came after it.
        guard let head = transcript.received.last else { return page.line("Nothing.") }
        page.transcript(head, mark: "<")
        if !transcript.receivedBody.isEmpty {
            page.blank()
            for line in transcript.receivedBody.split(whereSeparator: \.isNewline) { page.line(String(line)) }
        }
    }
}
