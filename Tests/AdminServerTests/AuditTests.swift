import Credentials
import TestSupport
import Testing

@Suite("The log of the admin listener", .generousLimit, .timed)
struct AuditTests {
    private static let secret = "Canary-Passcode-1"
    private static let form = "access_type=1&passkey=alice&passcode=\(secret)"

    @Test("It says where the listener is")
    func listening() async throws {
        let log = MemoryLog()
        try await AdminScene.withListener(log: log) { client in
            let line = "info listening address=127.0.0.1:\(client.port) listener=admin"
            // It is told once the listener is there.
            while !log.lines.contains(line) {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    @Test("It says who was enrolled and removed, and by whom")
    func enrolment() async throws {
        let log = MemoryLog()
        try await AdminScene.withListener(log: log) { client in
            _ = try await client.register(Self.form)
            _ = try await client.register(Self.form)
            _ = try await client.send("DELETE", "/accounts/api1/alice")
        }
        #expect(
            log.lines.filter { $0.contains("account=") } == [
                "info account enrolled access_type=1 account=alice api=api1 client=127.0.0.1",
                "info account enrolled already access_type=1 account=alice api=api1 client=127.0.0.1",
                "info account removed account=alice api=api1 client=127.0.0.1",
            ]
        )
    }

    @Test(
        "It says what was not enrolled and why, and never the passcode",
        arguments: [
            (.refused(detail: "No."), "warning enrolment refused"),
            (.unavailable(detail: "Down."), "warning enrolment not verified"),
            (.timedOut(detail: "Slow."), "warning enrolment not verified"),
            (.failed(detail: "Full."), "error enrolment failed"),
            (.created(CredentialName(api: "a", account: "b")), "info account enrolled"),
        ] as [(EnrolmentResult, String)]
    )
    func failures(result: EnrolmentResult, line: String) async throws {
        let log = MemoryLog()
        try await AdminScene.withListener(accounts: MemoryAccounts(result: result), log: log) { client in
            _ = try await client.register(Self.form)
        }
        #expect(log.lines.contains { $0.hasPrefix(line) })
        #expect(!log.lines.contains { $0.contains(Self.secret) })
    }

    @Test("A passkey of any kind makes one short line")
    func hostilePasskey() async throws {
        let log = MemoryLog()
        let passkey = "a%0D%0Ab%1B%5B31m" + String(repeating: "x", count: 10_000)
        try await AdminScene.withListener(accounts: MemoryAccounts(result: .refused(detail: "No.")), log: log) {
            client in
            _ = try await client.register("access_type=1&passkey=\(passkey)&passcode=p")
        }
        let line = try #require(log.lines.first { $0.hasPrefix("warning") })
        #expect(line.contains("passkey=a b[31mxxx"))
        #expect(line.utf8.count < 300)
    }
}
