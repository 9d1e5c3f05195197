import AdminServer
import Settings
import TestSupport
import Testing

@Suite("The commands of the admin listener", .generousLimit, .timed)
struct ControlTests {
    @Test("A reload that changes something is answered with what it changed")
    func changes() async throws {
        let changes = SettingChanges(added: ["apis.new"], changed: ["listen.proxy", "apis.\"x\".hosts"])
        let control = MemoryControl(.applied(changes))
        let reply = try await AdminScene.withListener(control: control) { try await $0.send("POST", "/reload") }
        #expect(reply.status == 200)
        #expect(reply["Content-Type"] == "application/json")
        #expect(
            reply.body
                == #"{"error":false,"message":"The configuration was reloaded.","added":["apis.new"],"#
                + #""changed":["listen.proxy","apis.\"x\".hosts"],"removed":[]}"#
        )
    }

    @Test("A reload that changes nothing is answered with 204")
    func applied() async throws {
        let (control, log) = (MemoryControl(), MemoryLog())
        let reply = try await AdminScene.withListener(control: control, log: log) {
            try await $0.send("POST", "/reload")
        }
        #expect(reply.status == 204)
        #expect(reply.body.isEmpty)
        #expect(reply["Cache-Control"] == "no-store")
        #expect(control.calls == ["reload"])
        #expect(log.lines.contains("info told to reload the configuration client=127.0.0.1"))
    }

    @Test("A reload that is refused is answered with every mistake")
    func mistakes() async throws {
        let mistakes = ["/etc/paraph.yaml:3:5: unknown key \"hots\"", "/etc/paraph.yaml:9:1: x"]
        let control = MemoryControl(.refused(reason: "it has mistakes", mistakes: mistakes))
        let reply = try await AdminScene.withListener(control: control) { try await $0.send("POST", "/reload") }
        #expect(reply.status == 422)
        #expect(reply["Content-Type"] == "application/json")
        #expect(
            reply.body
                == #"{"error":true,"message":"The configuration was not reloaded: everything goes on as before.","#
                + #""detail":"it has mistakes","mistakes":["/etc/paraph.yaml:3:5: unknown key \"hots\"","#
                + #""/etc/paraph.yaml:9:1: x"]}"#
        )
    }

    @Test("Nothing is reloaded while the process ends")
    func ending() async throws {
        let reply = try await AdminScene.withListener(control: MemoryControl(.ending)) {
            try await $0.send("POST", "/reload")
        }
        #expect(reply.status == 503)
        #expect(reply.body.contains("is stopping"))
    }

    @Test("The process is told to end, and who told it is logged")
    func quit() async throws {
        let (control, log) = (MemoryControl(), MemoryLog())
        let reply = try await AdminScene.withListener(control: control, log: log) { try await $0.send("POST", "/quit") }
        #expect(reply.status == 202)
        #expect(control.calls == ["quit"])
        #expect(log.lines.contains("info told to stop client=127.0.0.1"))
    }

    @Test(
        "A request without permission, or with another method, changes nothing",
        arguments: ["/reload", "/quit"],
        [
            ("POST", "token", [], 401), ("POST", "token", [("Authorization", "Bearer wrong")], 401),
            ("POST", nil, [("Origin", "https://evil.example")], 403),
            ("POST", nil, [("Sec-Fetch-Site", "cross-site")], 403),
            ("POST", nil, [("Host", "evil.example")], 403),
            ("GET", nil, [], 405), ("HEAD", nil, [], 405), ("PUT", nil, [], 405), ("OPTIONS", nil, [], 405),
        ] as [(String, String?, [(String, String)], Int)]
    )
    func refused(target: String, request: (String, String?, [(String, String)], Int)) async throws {
        let (method, token, fields, status) = request
        let control = MemoryControl()
        let reply = try await AdminScene.withListener(token: token, control: control) {
            try await $0.send(method, target, fields: fields)
        }
        #expect(reply.status == status)
        #expect(control.calls.isEmpty)
    }

    @Test("A command with the token is obeyed", arguments: ["/reload", "/quit"])
    func token(target: String) async throws {
        let control = MemoryControl()
        let reply = try await AdminScene.withListener(token: "token", isLoopback: false, control: control) {
            try await $0.send("POST", target, fields: [("Authorization", "Bearer token"), ("Host", "paraph.example")])
        }
        #expect((200..<300).contains(reply.status))
        #expect(control.calls == [String(target.dropFirst())])
    }
}
