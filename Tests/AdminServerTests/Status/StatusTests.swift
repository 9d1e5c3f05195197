import AdminServer
import Credentials
import TestSupport
import Testing

@Suite("The status of the process", .generousLimit, .timed)
struct StatusTests {
    @Test("The whole of it in one answer, the listener that is asked among the others")
    func whole() async throws {
        let account = AccountStatus(api: "x", account: "al\u{1B}[31m\nice", source: .reverseAuth, state: .notYet)
        let (reply, port) = try await AdminScene.withListener(status: MemoryStatus(accounts: [account])) {
            (try await $0.send("GET", "/status"), $0.port)
        }
        #expect(reply.status == 200)
        #expect(reply["Content-Type"] == "application/json")
        #expect(reply["Cache-Control"] == "no-store")
        #expect(
            reply.body == #"{"time":"2027-01-15T08:01:01Z","version":"1.2.3","commit":"abc","#
                + #""started":"2027-01-15T08:00:00Z","uptime_seconds":61,"not_ready":[],"#
                + #""configuration":{"file":"/etc/paraph.yaml","loaded":"2027-01-15T08:00:00Z","last_reload":null},"#
                + #""listeners":[{"purpose":"proxy","api":null,"address":"127.0.0.1:8080","tls":false,"#
                + #""certificate_expires":null},{"purpose":"admin","api":null,"address":"127.0.0.1:\#(port)","#
                + #""tls":false,"certificate_expires":null},{"purpose":"gateway","api":"x","#
                + #""address":"127.0.0.1:9000","tls":false,"certificate_expires":null}],"#
                + #""usage":{"client_connections":{"used":1,"limit":100},"open_connections":{"used":2,"limit":null},"#
                + #""held_bytes":{"used":0,"limit":1024},"dropped_log_lines":0},"apis":[],"#
                + #""accounts":[{"api":"x","account":"al\u001b[31m\nice","source":"reverse_auth","state":"none_yet","#
                + #""detail":null,"obtained":null,"expires":null,"waiting":0,"waiters":[],"last_exchange":null}],"accounts_left_out":0,"#
                + #""authority":{"certificate":"/ca.pem","sha256":"AB:CD","expires":"2027-01-15T08:00:00Z"},"#
                + #""store":{"kind":"directory","name":"/var/lib/paraph/vault","reachable":true,"reason":null,"#
                + #""key":null,"records":null,"revision":null,"seen_revision":null,"lag_revisions":null,"lag_seconds":null,"#
                + #""interrupted_since":null,"interruption":null,"turns":[],"turns_left_out":0},"#
                + #""problems":[]}"#
        )
    }

    @Test("One account by its name, percent-encoded")
    func account() async throws {
        let account = AccountStatus(
            api: "x",
            account: "a/b é",
            source: .password,
            state: .failing,
            lastExchange: ExchangeStatus(
                time: MemoryStatus.start,
                kind: "password",
                result: .failed,
                reason: "exchange_login_refused",
                detail: "No."
            )
        )
        let replies = try await AdminScene.withListener(status: MemoryStatus(accounts: [account])) { client in
            [
                try await client.send("GET", "/accounts/x/a%2Fb%20%C3%A9"),
                try await client.send("GET", "/accounts/x/other"),
                try await client.send("GET", "/accounts/x/%FF"),
            ]
        }
        #expect(replies.map(\.status) == [200, 404, 400])
        #expect(
            replies[0].body == #"{"api":"x","account":"a/b é","source":"password","state":"failing","detail":null,"#
                + #""obtained":null,"expires":null,"waiting":0,"waiters":[],"last_exchange":{"time":"2027-01-15T08:00:00Z","kind":"password","#
                + #""result":"failed","reason":"exchange_login_refused","detail":"No."}}"#
        )
    }

    @Test("Without a token it is told to addresses and localhost alone, and to no page of another site")
    func hosts() async throws {
        let statuses = try await AdminScene.withListener { client in
            [
                try await client.get("/status", hosts: ["localhost"]),
                try await client.get("/status", hosts: ["rebound.example"]),
                try await client.get("/status", hosts: []),
                try await client.get("/status", hosts: ["localhost"], fields: [("Origin", "https://site.example")]),
                try await client.get("/accounts/x/y", hosts: ["rebound.example"]),
            ].map(\.status)
        }
        #expect(statuses == [200, 403, 403, 403, 403])
    }

    @Test("It needs no enrolment")
    func withoutEnrolment() async throws {
        let reply = try await AdminScene.withListener(accounts: nil) { try await $0.send("GET", "/status") }
        #expect(reply.status == 200)
    }
}
