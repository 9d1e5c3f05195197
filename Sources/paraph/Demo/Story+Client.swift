extension Story {
    func writeClient(to page: inout Page) {
        page.title("1. What the client sent: a request without a signature")
        page.line("It knows HTTPS_PROXY and trusts the proxy's CA. It has no OAuth key, secret or token.")
        page.blank()
        if !transcript.command.isEmpty {
            for (number, line) in transcript.command.enumerated() {
                page.transcript([line], mark: number == 0 ? "$" : " ")
            }
            page.blank()
        }
        if let remark = transcript.remark {
            page.line(remark)
            page.blank()
        }
        for (number, head) in transcript.sent.enumerated() {
            if number > 0 { page.transcript([""], mark: ">") }
            page.transcript(head, mark: ">")
        }
        if !transcript.sentBody.isEmpty { page.transcript(["", transcript.sentBody], mark: ">") }
        if let issuer = transcript.certificateIssuer {
            page.blank()
            page.line("The certificate that it was shown for \(DemoRequest.host) was made on the fly, issued by")
            page.line("\(issuer).")
        }
    }
}
