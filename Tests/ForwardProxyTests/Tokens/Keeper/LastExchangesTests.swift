import Credentials
import Testing

@testable import ForwardProxy

@Suite("Records of the last exchanges")
struct LastExchangesTests {
    private func name(_ number: Int) -> CredentialName { CredentialName(api: "x", account: "\(number)") }

    private let failure = ExchangeFailure(step: "xAuth", status: 401, words: "", cause: .loginRefused)

    @Test("Beyond the limit the one whose exchange ended first is forgotten")
    func bounded() {
        let exchanges = LastExchanges(limit: 4)
        for time in 0..<4 { exchanges.note(LastExchange(time: Int64(time)), of: name(time)) }
        exchanges.note(LastExchange(time: 9, failure: failure), of: name(0))
        #expect(exchanges.all.count == 4)
        exchanges.note(LastExchange(time: 10), of: name(5))
        #expect(Set(exchanges.all.keys) == [name(0), name(2), name(3), name(5)])
        #expect(exchanges.all[name(0)] == LastExchange(time: 9, failure: failure))
    }

    @Test("The failure of an account that has another token by now is forgotten, and nothing else")
    func forgets() {
        let exchanges = LastExchanges()
        exchanges.note(LastExchange(time: 1, failure: failure), of: name(1))
        exchanges.note(LastExchange(time: 2), of: name(2))
        for number in 1...3 { exchanges.forgetFailure(of: name(number)) }
        #expect(exchanges.all == [name(2): LastExchange(time: 2)])
    }
}
