import Routing
import Testing

@testable import ForwardProxy

@Suite("The identity of a client")
struct ConnectionIdentityTests {
    private func attempt(_ name: String) -> LoginAttempt {
        LoginAttempt(peer: .v4(1), login: ClaimedLogin(name: name, secret: "guess".utf8Span.span))
    }

    @Test("A client logs in with the first request of a name, and is let in with those behind it")
    func letsIn() {
        var identity = ConnectionIdentity(overLimit: nil, place: nil, admission: nil)
        #expect(identity.letIn(as: nil) == false)
        #expect(identity.letIn(as: "one") == true)
        #expect(identity.letIn(as: "one") == false)
        #expect(identity.letIn(as: "two") == true)
        #expect(identity.letIn(as: nil) == false)
        #expect(identity.name == "two")
    }

    @Test("A wrong password takes the name that it was given for, and no other one")
    func fails() {
        var identity = ConnectionIdentity(overLimit: nil, place: nil, admission: nil)
        _ = identity.letIn(as: "one")
        identity.loginFailed(attempt("two"))
        #expect(identity.name == "one")
        identity.loginFailed(attempt("one"))
        #expect(identity.name == nil)
    }

    @Test("A connection that is one too many has no place, whoever it is")
    func overLimit() {
        let identity = ConnectionIdentity(overLimit: .places, place: nil, admission: nil)
        #expect(!identity.isPlaced)
        // Where no clients are listed there is nobody to name.
        #expect(!identity.isUnnamedOrOverLimit)
        #expect(ConnectionIdentity(overLimit: nil, place: nil, admission: nil).isPlaced)
    }
}
