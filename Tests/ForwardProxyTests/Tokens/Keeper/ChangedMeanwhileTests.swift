import CredentialStores
import Credentials
import OAuthSigning
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("A store that others change while an exchange runs", .generousLimit, .timed)
struct ChangedMeanwhileTests {
    private static let name = CredentialName(api: "api", account: "default")

    private func store(_ token: Secret, in proxy: RunningProxy) async throws {
        let other = StoredCredential(token: .access(AccessToken(token)), obtainedAt: 1)
        try proxy.vault.store(other.bound(to: #require(proxy.bindingOfConfigured)), for: Self.name)
        try await proxy.store.told(of: Self.name, having: token)
    }

    private func requests(of proxy: RunningProxy, come: String) async throws {
        while try await proxy.get().body != come { try Task.checkCancellation() }
    }

    @Test("What is told between the storing of a token and its use holds")
    func afterStoring() async throws {
        let (gate, granting) = (Gate(), GrantingProvider(life: nil))
        try await ScriptedProvider.with(answer: { request, _ in granting.answer(request) }) { provider in
            try await RunningProxy.with(.passwordGrant(port: provider.upstream.port)) { proxy in
                try await proxy.store.doubted(moreOftenThan: 0)
                proxy.store.pauseAfterChange(until: gate)
                let client = try await proxy.connect()
                try await client.send(RunningProxy.request())
                try await proxy.store.told(of: Self.name, having: Secret("hidden-access-1"))
                try await store(Secret(granting.newAccessToken()), in: proxy)
                gate.open()
                #expect(try await client.message().status == 200)
                try await requests(of: proxy, come: "Bearer hidden-access-2")
                #expect(granting.grants == ["password"])
            }
        }
    }

    @Test("What is told before an exchange fails holds, too")
    func beforeFailure() async throws {
        let (gate, granting) = (Gate(), GrantingProvider(life: nil))
        let answer: ScriptedProvider.Answer = { request, _ in
            guard request.target == GrantingProvider.path else { return granting.answer(request) }
            await gate.wait()
            return ScriptedProvider.answer("400 Bad Request", #"{"error":"invalid_grant"}"#)
        }
        try await ScriptedProvider.with(answer: answer) { provider in
            try await RunningProxy.with(.passwordGrant(port: provider.upstream.port)) { proxy in
                try await proxy.store.doubted(moreOftenThan: 0)
                let client = try await proxy.connect()
                try await client.send(RunningProxy.request())
                try await provider.received(1, at: GrantingProvider.path)
                try await store(Secret(granting.newAccessToken()), in: proxy)
                gate.open()
                #expect(try await client.message().status == 502)
                try await requests(of: proxy, come: "Bearer hidden-access-1")
            }
        }
    }

    @Test("A record that cannot be read holds, too")
    func unreadable() async throws {
        let (gate, directory) = (Gate(), try TestDirectory())
        let answer: ScriptedProvider.Answer = { _, _ in
            await gate.wait()
            return ScriptedProvider.answer("400 Bad Request", #"{"error":"invalid_grant"}"#)
        }
        try await ScriptedProvider.with(answer: answer) { provider in
            let setup = ProxySetup.passwordGrant(port: provider.upstream.port)
            try await RunningProxy.with(setup, vaultDirectory: directory) { proxy in
                try await proxy.store.doubted(moreOftenThan: 0)
                let client = try await proxy.connect()
                try await client.send(RunningProxy.request())
                try await provider.received(1, at: GrantingProvider.path)
                let count = proxy.store.tellingCount
                let other = try Vault(directory: directory.path, key: .generate())
                let token = AccountToken.access(AccessToken(Secret("x")))
                try other.store(StoredCredential(token: token, obtainedAt: 1), for: Self.name)
                try await proxy.store.told(moreOftenThan: count)
                gate.open()
                #expect(try await client.message().status == 502)
                // What failed with nothing stored is not said any more: there is something now.
                while try await !proxy.get().body.contains("another vault key") { try Task.checkCancellation() }
            }
        }
    }
}
