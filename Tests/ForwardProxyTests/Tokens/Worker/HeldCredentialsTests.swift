import Credentials
import OAuthSigning
import Testing

@testable import ForwardProxy

@Suite("Credentials as the vault last had them")
struct HeldCredentialsTests {
    private let held = HeldCredentials()
    private let alice = AccountReference.enrolled(api: 0, name: "alice")
    private let bob = AccountReference.enrolled(api: 0, name: "bob")

    private func credential(_ token: String) -> StoredCredential {
        StoredCredential(token: .access(AccessToken(Secret(token))), obtainedAt: 1, origin: .enrolment)
    }

    @Test("Each account has its own")
    func holds() {
        #expect(held.credential(of: alice) == nil)
        held.remember(credential("a"), of: alice, epoch: held.epoch)
        held.remember(credential("b"), of: bob, epoch: held.epoch)
        #expect(held.credential(of: alice) == credential("a"))
        #expect(held.credential(of: bob) == credential("b"))
        #expect(held.credential(of: .enrolled(api: 1, name: "alice")) == nil)
        #expect(held.credential(of: .configured(api: 0, account: 0)) == nil)
    }

    @Test("What is forgotten is gone, the others stay")
    func forgets() {
        held.remember(credential("a"), of: alice, epoch: held.epoch)
        held.remember(credential("b"), of: bob, epoch: held.epoch)
        held.forget([alice])
        #expect(held.credential(of: alice) == nil)
        #expect(held.credential(of: bob) == credential("b"))
        held.forget(nil)
        #expect(held.credential(of: bob) == nil)
    }

    @Test("What was read before something was forgotten may be out of date, and is not held", arguments: [false, true])
    func distrustsOldReads(forgetsAll: Bool) {
        let epoch = held.epoch
        held.forget(forgetsAll ? nil : [alice])
        held.remember(credential("old"), of: alice, epoch: epoch)
        #expect(held.credential(of: alice) == nil)
        held.remember(credential("new"), of: alice, epoch: held.epoch)
        #expect(held.credential(of: alice) == credential("new"))
    }

    @Test("What was read before others were forgotten is held, where which ones is known")
    func trustsReads() {
        let epoch = held.epoch
        held.forget([bob])
        held.remember(credential("a"), of: alice, epoch: epoch)
        #expect(held.isCurrent(alice, since: epoch) && !held.isCurrent(bob, since: epoch))
        #expect(held.credential(of: alice) == credential("a"))
        for number in 0..<10_000 { held.forget([.enrolled(api: 0, name: "\(number)")]) }
        // That many are not known by name.
        #expect(!held.isCurrent(bob, since: epoch) && !held.isCurrent(alice, since: epoch))
        #expect(held.credential(of: alice) == credential("a"))
        held.remember(credential("b"), of: bob, epoch: held.epoch)
        #expect(held.credential(of: bob) == credential("b"))
    }

    @Test("When any may have changed, what is forgotten stays known for a store that is away, until it is read again")
    func doubts() {
        for (account, token) in [(alice, "a"), (bob, "b")] {
            held.remember(credential(token), of: account, epoch: held.epoch)
        }
        #expect(held.doubted(of: alice) == nil)
        held.forget(nil)
        held.forget(nil)
        #expect(held.credential(of: alice) == nil && held.doubted(of: alice) == credential("a"))
        held.remember(credential("a2"), of: alice, epoch: held.epoch)
        #expect(held.doubted(of: alice) == nil && held.doubted(of: bob) == credential("b"))
        held.forget(nil)
        #expect(held.doubted(of: alice) == credential("a2"))
        // It is told that this one has changed.
        held.forget([bob])
        #expect(held.doubted(of: bob) == nil)
    }

    @Test("What a store that is away could not be asked about is known on, however often it has told of it")
    func overlappingChanges() {
        held.remember(credential("a"), of: alice, epoch: held.epoch)
        let first = held.forget([alice])
        let second = held.forget([alice])
        #expect(first.forgotten[alice] == credential("a") && second.forgotten[alice] == nil)
        held.restore(credential("a"), of: alice, epoch: first.epoch)
        #expect(held.credential(of: alice) == nil && held.doubted(of: alice) == credential("a"))
        #expect(held.all.isEmpty && held.allWithDoubted == [alice: credential("a")])
        let third = held.forget([alice])
        #expect(third.forgotten[alice] == credential("a") && held.doubted(of: alice) == nil)
        held.restore(credential("a"), of: alice, epoch: third.epoch)
        #expect(held.credential(of: alice) == credential("a") && held.doubted(of: alice) == nil)
    }

    @Test("Nothing is known of an account that the store holds nothing for")
    func dropped() {
        held.remember(credential("a"), of: alice, epoch: held.epoch)
        held.forget(nil)
        held.drop(alice)
        #expect(held.allWithDoubted.isEmpty)
    }
}
