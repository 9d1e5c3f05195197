import Testing

@testable import HTTP2Codec

/// Both roles, wired to each other: what one side sends arrives at the other, in order, and within the windows.
@Suite struct ConversationTests {
    @Test(arguments: [1, 7, 1_000, 65_535, 300_000], 1...3 as ClosedRange<UInt64>)
    func `Every byte arrives in order within the windows`(_ window: Int, _ seed: UInt64) throws {
        let bodyLimit = min(30 * window, 50_000)
        var conversation = Conversation(seed: seed, window: window, bodyLimit: bodyLimit, resetChance: 0)
        try conversation.run(exchanges: 8)
        #expect(conversation.failures == [])
        #expect(conversation.completedExchanges == 8)
        #expect(conversation.dataBytes > 0)
    }

    @Test(arguments: [1_000, 65_535], 5...7 as ClosedRange<UInt64>)
    func `Resets of some streams leave the others alone`(_ window: Int, _ seed: UInt64) throws {
        var conversation = Conversation(seed: seed, window: window, bodyLimit: 10_000, resetChance: 20)
        try conversation.run(exchanges: 40)
        #expect(conversation.failures == [])
        #expect(conversation.completedExchanges + conversation.resetExchanges >= 40)
    }
}
