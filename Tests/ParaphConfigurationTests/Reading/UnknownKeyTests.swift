import Foundation
import Testing

@testable import ParaphConfiguration

@Suite("Unknown keys")
struct UnknownKeyTests {
    @Test(
        "that are words of the file are shown, with the section that they belong to",
        arguments: [
            ("hosts: [a.example]", #""hosts" in apis.t.oauth1; it belongs in apis.t"#),
            ("accounts: {}", #""accounts" in apis.t.oauth1; it belongs in apis.t"#),
            ("token: hunter2", #""token" in apis.t.oauth1; it belongs in apis.t.accounts.NAME"#),
            ("other_hosts: refuse", #""other_hosts" in apis.t.oauth1; it belongs in access"#),
            ("token_secret: hunter2", #""token_secret" in apis.t.oauth1; it belongs in apis.t.accounts.NAME"#),
            ("pins: []", #""pins" in apis.t.oauth1; it belongs in apis.t.tls.pinning"#),
            ("state: x", #""state" in apis.t.oauth1; it belongs to the first level, beside apis, without indentation"#),
            ("default: {}", #""default" in apis.t.oauth1; it belongs in apis.t.accounts"#),
            ("api_key: hunter2", #""api_key" in apis.t.oauth1; did you mean consumer_key?"#),
            ("secret: hunter2", #""secret" in apis.t.oauth1; did you mean consumer_secret?"#),
            (
                "access_token: hunter2",
                #""access_token" in apis.t.oauth1; token, which it probably is, belongs in apis.t.accounts.NAME"#
            ),
            (
                "env: HUNTER",
                #""env" in apis.t.oauth1; it is a part of a secret, {env: …}: indent it below the setting whose "#
                    + #"value it is, "#
                    + "or write it behind"
            ),
            ("<<: {}", #""<<" in apis.t.oauth1; anchors are not merged here; write what is meant out in full"#),
            (
                "\"realm\u{A0}x\": hunter2",
                "with a no-break space (U+00A0) in it in apis.t.oauth1; type a blank "
                    + "instead"
            ),
        ]
    )
    func places(_ line: String, _ message: String) {
        let found = mistakes(Minimal.withOAuth1(line).utf8)
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix(": unknown key \(message)") == true, "\(found)")
    }

    @Test("are known by the page that lists all settings")
    func reference() throws {
        let page = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/settings.md")
        var section = ""
        var number = 0
        for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
            if let heading = line.firstMatch(of: /^## `(.*)`$/) { section = String(heading.1) }
            guard let item = line.firstMatch(of: /^- `([a-z0-9_]+)`/) else { continue }
            let keys = SettingWords.keys(of: section) ?? []
            #expect(keys.contains(String(item.1)), "\(section) has \(item.1)")
            number += 1
        }
        #expect(number > 100)
    }

    @Test("that are settings of an account, beside its name, are one mistake")
    func flatAccount() {
        let yaml = Minimal.yaml.replacing(
            "default: {token: token, token_secret: s3cr3t-token}",
            with: "default:\n      token: s3cr3t\n      token_secret: {env: X}"
        )
        #expect(
            mistakes(yaml.utf8) == [
                "9:7: apis.t.accounts.token is a setting of an account, not the name of one; indent it below the "
                    + "account's name"
            ]
        )
    }

    @Test(
        "of an account that is none are told by what to write",
        arguments: [
            ("default: alice", "8:16: apis.t.accounts.default must be a mapping (key: value), not a single value; "),
            ("default:", "8:7: apis.t.accounts.default is empty; "),
            (
                "default: two_legged",
                "8:16: apis.t.accounts.default must be a mapping (key: value), not a single "
                    + "value; "
            ),
        ]
    )
    func noAccount(_ line: String, _ beginning: String) {
        let yaml = Minimal.yaml.replacing("default: {token: token, token_secret: s3cr3t-token}", with: line)
        let advice = "give it token and token_secret, three_legged, reverse_auth, xauth, or two_legged: true"
        #expect(mistakes(yaml.utf8) == [beginning + advice])
    }

    @Test("of a login that stands a level too high are one mistake")
    func flatLogin() {
        let yaml = """
            apis:
              o:
                hosts: [o.example]
                oauth2: {token_url: https://o.example/t, client_id: c, client_secret: s3cr3t}
                accounts: {default: {username: s3cr3t, password: {env: X}}}
            """
        #expect(
            mistakes(yaml.utf8) == [
                "5:26: apis.o.accounts.default.username belongs one level deeper; write password: {username: …, "
                    + "password: …}"
            ]
        )
    }

    @Test(
        "and values of which a slip has made text are told by the slip",
        arguments: [
            (
                "timeouts:\n  connect:\u{A0}10s",
                "it holds a no-break space (U+00A0), which is none to YAML: type a "
                    + "blank instead"
            ),
            ("timeouts:\n  connect:10s", "is the blank missing after the colon?"),
            ("access:\n  clients:\n    -name", "is the blank missing after the dash?"),
            ("access: {other_hosts: [pypi.org]}", "must be tunnel, refuse, or {allow: [HOST, …], else: refuse}"),
            ("access: {other_hosts: {allow: [\"*\"]}}", "is every host; write other_hosts: tunnel, in place of allow"),
            ("listen: {proxy: \"::1:8080\"}", "write it with them and in quotes, like \"[::1]:8080\""),
            ("listen: {proxy: \"http://127.0.0.1:8080\"}", "is written without a scheme"),
            ("listen: {proxy: \":8080\"}", "write 127.0.0.1:PORT to be reached from this machine alone"),
            ("listen: {admin: none}", "write off, or HOST:PORT"),
            ("state: /dev/null/x", "is a file or in one"),
            ("state: /dev/null", "is a file or in one"),
            ("vault: {key: /run/secrets/vault.key}", "looks like a path, and is not read as one; write {file: PATH}"),
        ]
    )
    func slips(_ text: String, _ words: String) {
        let found = mistakes("\(Minimal.yaml)\(text)\n".utf8)
        #expect(found.count == 1)
        #expect(found.first?.contains(words) == true, "\(found)")
    }

    @Test(
        "and hosts that are none are told by the character",
        arguments: [
            (".example.com", "starts with a dot; for every host below a name write \"*.example.com\""),
            ("a .example.com", "holds a blank"), ("a.example.com,b.example.com", "holds a comma"),
            ("^a\\.example\\.com$", "regular expressions are not used here"),
            ("a.example.com\u{200B}", "holds an invisible character (U+200B)"),
            ("“a.example.com”", "holds a typographic quotation mark (U+201C)"),
            ("a–b.example.com", "holds a dash that is no hyphen (U+2013)"),
            ("bücher.example", "internationalized names are written in their xn-- form"),
        ]
    )
    func hosts(_ host: String, _ words: String) {
        let found = mistakes(Minimal.yaml.replacing("[api.example.com]", with: "['\(host)']").utf8)
        #expect(found.count == 1)
        #expect(found.first?.contains(words) == true, "\(found)")
    }
}
