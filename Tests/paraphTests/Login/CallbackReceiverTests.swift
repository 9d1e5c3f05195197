import Credentials
import Testing
import TestSupport

@testable import paraph

@Suite("The reply that is waited for", .generousLimit, .timed)
struct CallbackReceiverTests {
    private let reply = CallbackReply(query: "oauth_token=t&oauth_verifier=v")

    @Test("Nothing is accepted before there are temporary credentials")
    func early() {
        let receiver = CallbackReceiver()
        #expect(receiver.receive(reply, needsToken: true) == .stranger)
        receiver.expect(temporaryToken: "t")
        #expect(receiver.receive(reply, needsToken: true) == .accepted(isDenied: false))
    }

    @Test(
        "Replies to another authorization are strangers",
        arguments: ["", "oauth_verifier=v", "oauth_token=u&oauth_verifier=v", "oauth_token=T", "denied=u"]
    )
    func strangers(query: String) {
        let receiver = CallbackReceiver()
        receiver.expect(temporaryToken: "t")
        #expect(receiver.receive(CallbackReply(query: query), needsToken: true) == .stranger)
    }

    @Test("A verifier that was typed needs no token, but may not have a wrong one")
    func typed() {
        let receiver = CallbackReceiver()
        receiver.expect(temporaryToken: "t")
        #expect(
            receiver.receive(CallbackReply(query: "oauth_token=u&oauth_verifier=v"), needsToken: false) == .stranger
        )
        #expect(
            receiver.receive(CallbackReply(query: "oauth_verifier=v"), needsToken: false) == .accepted(isDenied: false)
        )
    }

    @Test("The first reply is handed on, and those that repeat it get the same page")
    func once() async {
        let receiver = CallbackReceiver()
        receiver.expect(temporaryToken: "t")
        #expect(receiver.receive(CallbackReply(query: "denied=t"), needsToken: true) == .accepted(isDenied: true))
        #expect(receiver.receive(reply, needsToken: true) == .accepted(isDenied: false))
        var replies: [CallbackReply] = []
        for await reply in receiver.replies { replies.append(reply) }
        #expect(replies == [CallbackReply(query: "denied=t")])
    }
}
