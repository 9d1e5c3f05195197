import Testing

@testable import ForwardProxy

@Suite("The command that gets an account its token")
struct LoginCommandTests {
    @Test(
        "Names are one word each to a shell, whatever is in them",
        arguments: [
            ("twitter", "default", "paraph login twitter"),
            ("twitter", "alice", "paraph login twitter --account alice"),
            ("my_api-2", "a.b@c+d/e=f", "paraph login my_api-2 --account a.b@c+d/e=f"),
            ("twitter", "two words", "paraph login twitter --account 'two words'"),
            ("twitter", "o'neil", #"paraph login twitter --account 'o'\''neil'"#),
            ("twitter", "'", #"paraph login twitter --account ''\'''"#),
            ("twitter", "$(reboot)`x`\\", "paraph login twitter --account '$(reboot)`x`\\'"),
            ("twitter", "\"a\";*", "paraph login twitter --account '\"a\";*'"),
            ("twitter", "Jürgen", "paraph login twitter --account 'Jürgen'"),
            ("twitter", "-x", "paraph login twitter --account=-x"),
            ("twitter", "--help me", "paraph login twitter --account='--help me'"),
            ("an api", "default", "paraph login 'an api'"),
        ]
    )
    func quotes(api: String, account: String, expected: String) {
        #expect(LoginCommand.text(api: api, account: account) == expected)
    }
}
