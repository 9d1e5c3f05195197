import Foundation
import ParaphConfiguration
import Testing

@Suite("The reference of the settings")
struct ReferenceTests {
    /// A setting of which docs/settings.md says what it is by default.
    struct Default: CustomTestStringConvertible, Sendable {
        var path: [String]
        var value: String

        var testDescription: String { "\(path.joined(separator: ".")): \(value)" }
    }

    private static let page = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/settings.md")

    static let defaults: [Default] = {
        var section: [String] = []
        var found: [Default] = []
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        // An item that goes on in the next line.
        for line in text.replacing("\n  ", with: " ").split(separator: "\n") {
            if let heading = line.firstMatch(of: /^## `(.*)`$/) {
                section = heading.1.split(separator: ".").map(String.init)
            }
            guard let item = line.firstMatch(of: /^- `([a-z0-9_]+)`, by default `([^`]*)`/) else { continue }
            found.append(Default(path: section + [String(item.1)], value: String(item.2)))
        }
        return found
    }()

    /// The entries of a flow mapping that a section needs besides to be good.
    private static let needed = [
        "apis.NAME.gateway": "listen: '127.0.0.1:9001', ",
        "apis.NAME.accounts.NAME.three_legged":
            "request_token_url: 'https://api.example.com/r', authorize_url: 'https://api.example.com/o', "
            + "access_token_url: 'https://api.example.com/a', ",
        "apis.NAME.tls.pinning": "mode: public_key, pins: [\(pin("A")), \(pin("E"))], expires: 2099-12-31, ",
        "apis.NAME.oauth2": "token_url: 'https://api.example.com/t', client_id: a, client_secret: b, ",
        "apis.NAME.oauth1": "consumer_key: key, consumer_secret: secret, ",
        "upstream_proxy": "url: 'https://proxy.example.com:3129', ",
    ]

    private static func pin(_ letter: String) -> String { "sha256/\(String(repeating: letter, count: 43))=" }

    /// A whole configuration in which the section of a setting is written, with the setting or without it.
    private static func configuration(_ path: [String], _ setting: String) -> String {
        let section = path.joined(separator: ".")
        let body = "{\(needed[section] ?? "")\(setting)}"
        let isWithin = { (outer: String) in section == outer || section.hasPrefix("\(outer).") }
        let authorization =
            isWithin("apis.NAME.oauth2")
            ? "    oauth2: \(body)\n"
            : "    oauth1: \(section == "apis.NAME.oauth1" ? body : "{consumer_key: key, consumer_secret: secret}")\n"
        let account =
            isWithin("apis.NAME.accounts.NAME.three_legged")
            ? "{three_legged: \(body)}"
            : isWithin("apis.NAME.oauth2") ? "{password: {username: u, password: p}}" : "{two_legged: true}"
        var text = "apis:\n  t:\n    hosts: [api.example.com]\n\(authorization)    accounts: {default: \(account)}\n"
        switch path.count {
        case 0: text += "\(setting)\n"
        case 1: text += "\(section): \(body)\n"
        case 2 where path[0] == "apis": text += setting.isEmpty ? "" : "    \(setting)\n"
        case 3 where !isWithin("apis.NAME.oauth1") && !isWithin("apis.NAME.oauth2"): text += "    \(path[2]): \(body)\n"
        case 4 where path[2] == "tls": text += "    tls: {\(path[3]): \(body)}\n"
        default: break
        }
        return text
    }

    @Test("names defaults for most of the file")
    func some() { #expect(Self.defaults.count > 45) }

    @Test("says what a setting is where it is left out", arguments: defaults)
    func saysTheDefault(_ setting: Default) throws {
        let section = setting.path.dropLast()
        let line = "\(setting.path.last ?? ""): \(setting.value)"
        let text = Self.configuration(Array(section), line)
        #expect(text.contains(line))
        var written = try read(text)
        let leftOut = try read(Self.configuration(Array(section), ""))
        // The marks tell that the setting is written.
        written.marks = leftOut.marks
        #expect(Self.described(written) == Self.described(leftOut))
    }

    private static func described(_ configuration: Configuration) -> String {
        var text = ""
        dump(configuration, to: &text)
        return text
    }
}
