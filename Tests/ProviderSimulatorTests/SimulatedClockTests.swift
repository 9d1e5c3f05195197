import OAuthSigning
import ProviderSimulator
import Testing

@Suite struct SimulatedClockTests {
    @Test(arguments: [-3600, 412, 86_400] as [Int64])
    func `a clock that is off refuses, and Date says what would do`(offset: Int64) throws {
        let test = TestProvider { $0.clockOffset = offset }
        let refused = test.send(try .signed())
        #expect(refused.status == 401)
        #expect(test.provider.ledger.refusals(because: "timestamp_refused") == 1)
        let theirs = UInt64(Int64(TestProvider.now) + offset)
        #expect(refused.value(of: "Date") == test.send(try .signed(timestamp: theirs)).value(of: "Date"))
        #expect(test.provider.ledger.events.last?.verified != nil)
    }

    @Test func `a clock can be set while the provider runs`() throws {
        let test = TestProvider()
        #expect(test.send(try .signed(nonce: "a")).status == 200)
        test.provider.setClock(offset: 301)
        #expect(test.send(try .signed(nonce: "b")).status == 401)
        test.provider.setClock(offset: 0)
        #expect(test.send(try .signed(nonce: "c")).status == 200)
    }

    @Test(
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (1_700_000_000, "Tue, 14 Nov 2023 22:13:20 GMT"),
            (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        ] as [(UInt64, String)]
    )
    func `Date is written as RFC 9110 has it`(time: UInt64, text: String) {
        let answer = TestProvider().send(ReceivedRequest(method: "GET", target: "/", authority: "api.test"), at: time)
        #expect(answer.value(of: "Date") == text)
    }

    @Test func `an answer that was put in place keeps its own Date`() {
        let test = TestProvider()
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let answer = SimulatedAnswer(status: 401, contentType: "text/plain", fields: [("Date", date)], body: [])
        test.provider.fail(.resource, with: answer)
        let sent = test.send(ReceivedRequest(method: "GET", target: "/", authority: "api.test"))
        #expect(sent.fields.filter { $0.name == "Date" }.map(\.value) == [date])
    }
}
