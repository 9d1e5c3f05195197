import NIOCore
import Testing
import TestSupport

@testable import CredentialStores

@Suite("Servers of etcd that do not answer", .generousLimit, .timed)
struct EtcdAbsenceTests {
    private static let request = EtcdTransaction(if: [], [], otherwiseReading: [])

    @Test("One request finds it out, and no other is sent until one of them answers again")
    func away() async throws {
        try await MuteServer.with { one in
            try await MuteServer.with { other in
                let client = EtcdClient(endpoints: [one.endpoint, other.endpoint], timeout: .milliseconds(50))
                var reasons: Set<String> = []
                // Where this process stood still while it waited, it has asked again.
                var most = 1
                for number in 0..<50 {
                    let begin = ContinuousClock.now
                    do throws(EtcdFailure) {
                        _ = try await client.send(Self.request)
                        Issue.record("It was answered.")
                    } catch {
                        reasons.insert("\(error)")
                    }
                    if number == 0, .now - begin > .seconds(1) { most = 2 }
                }
                // Whoever is spared the wait is told the same.
                #expect(reasons.count == 1 && reasons.first?.contains("no answer in time") == true)
                for server in [one, other] {
                    // The time may be over before it is even sent.
                    let count = server.paths.count { $0 == EtcdTransaction.path }
                    #expect(count <= most)
                }
                other.speak()
                while (try? await client.send(Self.request)) == nil { await Task.yield() }
                // It is that one which is asked from then on.
                #expect(client.current.endpoint == other.endpoint)
                await client.close()
            }
        }
    }

    @Test("An answer that is begun and does not go on is none")
    func unfinished() async throws {
        try await MuteServer.with(beginsAnswers: true) { server in
            let client = EtcdClient(endpoints: [server.endpoint], timeout: .milliseconds(50))
            await #expect(throws: EtcdFailure.unavailable(reason: "\(server.endpoint): no answer in time")) {
                try await client.send(Self.request)
            }
            await client.close()
        }
    }

    @Test("A client that is closed asks no more, and neither does one that nobody uses any more")
    func closed() async throws {
        try await MuteServer.with { server in
            var client: EtcdClient? = EtcdClient(endpoints: [server.endpoint], timeout: .milliseconds(50))
            _ = try? await client?.send(Self.request)
            await client?.close()
            try await Self.expectSilence(of: server)
            client = EtcdClient(endpoints: [server.endpoint], timeout: .milliseconds(50))
            _ = try? await client?.send(Self.request)
            weak let left = client
            client = nil
            while left != nil { await Task.yield() }
            try await Self.expectSilence(of: server)
        }
    }

    @Test("An absence that is closed asks no more, and begins no more")
    func closedAbsence() async {
        let absence = EtcdAbsence()
        absence.begin("silent") { false }
        #expect(absence.reason == "silent")
        absence.close()
        // It has no reason any more once the questions are over.
        while absence.reason != nil { await Task.yield() }
        absence.begin("silent") { false }
        #expect(absence.reason == nil)
    }

    /// Expects no request by clients that have ended, for a time in which an absence asks several questions.
    private static func expectSilence(of server: MuteServer) async throws {
        while server.connectionCount > 0 { await Task.yield() }
        // What a client sent last may be read only now.
        try await Task.sleep(for: .milliseconds(200))
        let count = server.paths.count
        try await Task.sleep(for: .milliseconds(800))
        #expect(server.paths.count == count)
    }
}
