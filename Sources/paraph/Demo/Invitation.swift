/// Command lines to paste into another terminal.
struct Invitation: DemoText {
    let entrance: DemoEntrance

    func write(to page: inout Page) {
        page.title("Your turn, in another terminal")
        let base = "https://\(DemoRequest.host)"
        offer("A query that is easily signed wrongly:", ["\(base)/1.1/search.json?q=caf%C3%A9+%7e&q=&a%5B%5D=1"], &page)
        offer("A form:", ["--data-urlencode", "status=50% off, isn't it?", "\(base)/1.1/statuses/update.json"], &page)
        offer(
            "JSON, which OAuth does not sign:",
            ["--header", "Content-Type: application/json", "--data", #"{"text": "hello"}"#, "\(base)/2/tweets"],
            &page
        )
        offer(
            "Plain http:// to the proxy, TLS from there on:",
            ["http://\(DemoRequest.host)/1.1/account/settings.json"],
            trusting: false,
            &page
        )
        offer("A host whose pin is wrong: paraph refuses, and says why:", ["https://\(DemoSetup.wrongPinHost)/"], &page)
        page.blank()
        page.line("Requests that reach the provider are listed here. ^C ends the demo and removes its files.")
        page.blank()
    }

    private func offer(_ title: String, _ arguments: [String], trusting: Bool = true, _ page: inout Page) {
        let trust = trusting ? ["--cacert", entrance.certificateFile] : []
        let command = CurlInvocation(groups: [["--proxy", entrance.proxyURL] + trust, arguments])
        page.blank()
        page.line(title)
        for line in command.shellLines { page.line(line) }
    }
}
