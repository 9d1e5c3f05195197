import Credentials
import OAuthSigning
import TestSupport
import Testing

@testable import paraph

@Suite("The callback listener", .generousLimit, .timed)
struct CallbackListenerTests {
    private func listener(_ callback: ThreeLeggedSettings.Callback = .loopback) throws -> CallbackListener {
        let receiver = CallbackReceiver()
        receiver.expect(temporaryToken: "t")
        return CallbackListener(address: try #require(LoopbackAddress(callback)), receiver: receiver)
    }

    @Test("It answers its own path and the authorization that is waited for, and goes on waiting otherwise")
    func answers() async throws {
        let listener = try listener()
        let reply = try await listener.listen { callback in
            let base = callback.replacing("/callback", with: "")
            #expect(try await TestBrowser.send("GET", "\(base)/favicon.ico").status == 404)
            #expect(try await TestBrowser.send("GET", "\(base)/callback/?oauth_token=t&oauth_verifier=v").status == 404)
            #expect(try await TestBrowser.send("POST", "\(callback)?oauth_token=t&oauth_verifier=v").status == 405)
            let stranger = try await TestBrowser.send("GET", "\(callback)?oauth_token=<b>u&oauth_verifier=v")
            #expect(stranger.status == 400)
            #expect(!stranger.text.contains("<b>u"))
            #expect(try await TestBrowser.send("GET", callback).status == 400)

            let page = try await TestBrowser.send("GET", "\(callback)?oauth_token=t&oauth_verifier=v%2B1")
            #expect(page.status == 200)
            #expect(page.text.lowercased().contains("content-type: text/html; charset=utf-8"))
            #expect(page.text.lowercased().contains("cache-control: no-store"))
            #expect(page.text.lowercased().contains("referrer-policy: no-referrer"))
            #expect(page.text.contains("Authorized"))
            #expect(!page.text.contains("v+1"))
            for await reply in listener.receiver.replies { return reply }
            return CallbackReply(query: "")
        }
        #expect(reply.verifier == Secret("v+1"))
    }

    @Test("A refusal is told on the page too")
    func denied() async throws {
        let listener = try listener()
        try await listener.listen { callback in
            let page = try await TestBrowser.send("GET", "\(callback)?denied=t")
            #expect(page.status == 200)
            #expect(page.text.contains("Not authorized"))
        }
    }

    @Test("Afterwards nobody listens any more, and the same address can be listened on again")
    func end() async throws {
        // Below those that the system gives out: nobody else gets it in between.
        let candidates = (0..<20).map { _ in "http://127.0.0.1:\(Int.random(in: 20_000..<32_768))/callback" }
        var first: String?
        for candidate in candidates where first == nil {
            first = try? await listener(.address(candidate)).listen { $0 }
        }
        let callback = try #require(first)
        await #expect(throws: (any Error).self) { try await TestBrowser.send("GET", callback) }
        let again = try await listener(.address(callback)).listen { callback in
            let page = try await TestBrowser.send("GET", "\(callback)?oauth_token=t")
            #expect(page.status == 200)
            return callback
        }
        #expect(again == callback)
    }

    @Test("An address that is in use is told with what to do")
    func inUse() async throws {
        let error = try await listener().listen { callback in
            await #expect(throws: LoginError.self) {
                try await listener(.address(callback)).listen { _ in Issue.record("listens") }
            }
        }
        guard case .cannotListen(let address, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(address.hasPrefix("127.0.0.1:"))
        #expect(error?.exitCode == .unavailable)
    }

    @Test("What the body throws comes out, and cancelling ends it")
    func errors() async throws {
        let listener = try listener()
        await #expect(throws: LoginError.denied) {
            try await listener.listen { _ in throw LoginError.denied }
        }
        let (started, start) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await listener.listen { _ in
                start.finish()
                for await _ in listener.receiver.replies {}
                try Task.checkCancellation()
            }
        }
        for await _ in started {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
