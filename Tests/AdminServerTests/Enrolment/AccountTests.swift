import Credentials
import TestSupport
import Testing

@Suite("/accounts", .generousLimit, .timed)
struct AccountTests {
    @Test("The accounts are listed, with what is wrong")
    func list() async throws {
        let accounts = MemoryAccounts([
            CredentialName(api: "b", account: "7"), CredentialName(api: "a", account: "q\"/ä"),
        ])
        let reply = try await AdminScene.withListener(accounts: accounts) { try await $0.send("GET", "/accounts") }
        #expect(reply.status == 200)
        #expect(reply["Content-Type"] == "application/json")
        #expect(
            reply.body.hasPrefix(
                #"{"accounts":[{"api":"a","account":"q\"/ä"},{"api":"b","account":"7"}],"errors":["#
                    + "\"The vault file "
            )
        )
    }

    @Test(
        "An account is removed by its percent-encoded names",
        arguments: [
            ("/accounts/a/7", CredentialName(api: "a", account: "7")),
            ("/accounts/a/7?x=y", CredentialName(api: "a", account: "7")),
            ("/accounts/a%2Fb/c%2fd%20e", CredentialName(api: "a/b", account: "c/d e")),
            ("/accounts/a/%C3%A4+%2B", CredentialName(api: "a", account: "ä++")),
            ("/accounts/a/%2E%2E", CredentialName(api: "a", account: "..")),
        ]
    )
    func removal(target: String, name: CredentialName) async throws {
        let accounts = MemoryAccounts([name])
        let replies = try await AdminScene.withListener(accounts: accounts) { client in
            [try await client.send("DELETE", target), try await client.send("DELETE", target)]
        }
        #expect(replies.map(\.status) == [204, 404])
        #expect(replies[0].body.isEmpty)
        #expect(replies[1].body.contains("no such account"))
    }

    @Test("A name that is not percent-encoded UTF-8 is refused", arguments: ["/accounts/a/%f", "/accounts/%ff/b"])
    func malformedName(target: String) async throws {
        let reply = try await AdminScene.withListener { try await $0.send("DELETE", target) }
        #expect(reply.status == 400)
    }

    @Test("A vault that cannot be used is told", arguments: [("GET", "/accounts"), ("DELETE", "/accounts/a/7")])
    func vaultErrors(method: String, target: String) async throws {
        let error = VaultError.directoryAccessible(path: "/v", mode: 0o755)
        let log = MemoryLog()
        let reply = try await AdminScene.withListener(accounts: MemoryAccounts(vaultError: error), log: log) {
            try await $0.send(method, target)
        }
        #expect(reply.status == 500)
        #expect(reply.body.contains("chmod 700 /v"))
        #expect(log.lines.contains { $0.hasPrefix("error account") && $0.contains("chmod 700 /v") })
    }

    @Test(
        "A vault that is away for a while is one to ask again",
        arguments: [("GET", "/accounts"), ("DELETE", "/accounts/a/7")]
    )
    func absentVault(method: String, target: String) async throws {
        let error = VaultError.etcdUnavailable(etcd: "https://etcd-0:2379", reason: "connection refused")
        let reply = try await AdminScene.withListener(accounts: MemoryAccounts(vaultError: error)) {
            try await $0.send(method, target)
        }
        #expect(reply.status == 503)
        #expect(reply["Retry-After"] == "1")
        #expect(reply.body.contains("etcd (https://etcd-0:2379) cannot be reached"))
    }
}
