import Foundation
import Settings
import TestSupport
import Testing

@testable import ParaphConfiguration

@Suite("The difference from another configuration")
struct SettingMarksTests {
    private static func changes(_ earlier: String, _ now: String) throws -> SettingChanges {
        try read(now).marks.changes(since: read(earlier).marks)
    }

    @Test("is nothing where the words are the same")
    func same() throws {
        #expect(try Self.changes(Minimal.yaml, Minimal.yaml + "# a remark\n").isEmpty)
        #expect(
            try Self.changes(Minimal.yaml, Minimal.yaml.replacing("[api.example.com]", with: "\n    - api.example.com"))
                .isEmpty
        )
    }

    @Test("is told by name, and no value with it")
    func values() throws {
        let now = Minimal.yaml.replacing("s3cr3t-consumer", with: "s3cr3t-other")
            .replacing("api.example.com", with: "api.example.org")
        #expect(
            try Self.changes(Minimal.yaml, now)
                == SettingChanges(changed: ["apis.t.hosts", "apis.t.oauth1.consumer_secret"])
        )
    }

    @Test("A section that comes or goes stands for all that is in it")
    func sections() throws {
        let now = Minimal.yaml + "limits: {connections: 7}\nlisten: {admin: off}\n"
        #expect(try Self.changes(Minimal.yaml, now) == SettingChanges(added: ["limits", "listen"]))
        #expect(try Self.changes(now, Minimal.yaml) == SettingChanges(removed: ["limits", "listen"]))
        let account = Minimal.yaml.replacing(
            "      default:",
            with: "      alice: {token: a, token_secret: b}\n      default:"
        )
        #expect(try Self.changes(Minimal.yaml, account) == SettingChanges(added: ["apis.t.accounts.alice"]))
    }

    @Test("A secret that comes from elsewhere is one setting")
    func references() throws {
        let environment = ["A_SECRET": "a", "B_SECRET": "a"]
        let files = ["A_SECRET", "B_SECRET"].map { name in
            Minimal.yaml.replacing("s3cr3t-consumer", with: "{env: \(name)}")
        }
        let marks = try files.map { try read($0, environment: environment).marks }
        let expected = SettingChanges(changed: ["apis.t.oauth1.consumer_secret"])
        #expect(marks[1].changes(since: marks[0]) == expected)
        #expect(try marks[0].changes(since: read(Minimal.yaml).marks) == expected)
    }

    @Test("A file whose content is another is told as a change of what names it")
    func files() throws {
        let directory = try TestDirectory()
        let yaml =
            Minimal.yaml.replacing("s3cr3t-consumer", with: "{file: secret}")
            + "access: {clients: [{name: a, password: {file: secret}}]}\n"
        let path = try directory.write(yaml, to: "paraph.yaml")
        func marks(_ content: String) throws -> SettingMarks {
            try directory.write(content, to: "secret")
            return try Configuration.load(path: path, environment: [:]).marks
        }
        let first = try marks("one")
        #expect(try marks("one").changes(since: first).isEmpty)
        #expect(
            try marks("other").changes(since: first)
                == SettingChanges(changed: ["access.clients", "apis.t.oauth1.consumer_secret"])
        )
    }

    @Test("A line of the log has some of the names")
    func description() {
        #expect("\(SettingChanges())" == "nothing")
        #expect(
            "\(SettingChanges(added: ["a"], changed: ["b", "c"], removed: ["d"]))" == "added a; changed b, c; removed d"
        )
        let many = SettingChanges(changed: (0..<13).map { "s\($0)" })
        #expect("\(many)" == "changed s0, s1, s2, s3, s4, s5, s6, s7, s8, s9 and 3 more")
    }
}
