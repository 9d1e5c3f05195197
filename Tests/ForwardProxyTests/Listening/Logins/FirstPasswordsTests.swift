import NIOCore
import Routing
import Testing

@testable import ForwardProxy

@Suite("The first passwords for a name from an address")
struct FirstPasswordsTests {
    private let start = NIODeadline.uptimeNanoseconds(1 << 40)

    private func attempt(_ name: String, _ password: String, from address: UInt32 = 1, isListed: Bool = true)
        -> LoginAttempt
    {
        LoginAttempt(
            peer: .v4(address),
            login: ClaimedLogin(name: name, secret: password.utf8Span.span, isListed: isListed)
        )
    }

    @Test("Three different ones are, and these again, until a quarter of an hour has passed")
    func counts() {
        var first = FirstPasswords()
        let found = ["a", "b", "a", "c", "d", "a", "c", "e"].map { first.include(attempt("one", $0), at: start) }
        #expect(found == [true, true, true, true, false, true, true, false])
        let others = [attempt("two", "d"), attempt("one", "d", from: 2)].map { first.include($0, at: start) }
        #expect(others == [true, true])
        let later = [-1, 0].map { nanoseconds in
            first.include(attempt("one", "d"), at: start + .minutes(15) + .nanoseconds(nanoseconds))
        }
        #expect(later == [false, true])
        #expect(first.pairCount == 1)
    }

    @Test("None for a name of no client is")
    func leavesOutTheUnlisted() {
        var first = FirstPasswords()
        let isFirst = first.include(attempt("nobody", "a", isListed: false), at: start)
        #expect(!isFirst)
        #expect(first.pairCount == 0)
    }

    @Test("Where too many are remembered, further ones are none before some may be forgotten")
    func isBounded() {
        var first = FirstPasswords()
        let found = (0..<FirstPasswords.capacity).filter { address in
            first.include(attempt("one", "a", from: UInt32(address)), at: start)
        }
        #expect(found.count == FirstPasswords.capacity)
        let more = [attempt("two", "a"), attempt("one", "b")].map { first.include($0, at: start) }
        #expect(more == [false, true])
        let later = first.include(attempt("two", "a"), at: start + .minutes(15))
        #expect(later)
        #expect(first.pairCount == 1)
    }
}
