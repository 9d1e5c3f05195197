import HTTP1Codec
import NIOCore

@testable import HTTP2Codec

/// A client and a server connection that talk with each other as a script says. As long as nothing is damaged on the
/// way, neither finds a mistake, and every body arrives whole.
///
/// The input is the script: a byte for a step, and what belongs to it.
enum HTTP2ConversationTarget: FuzzTarget {
    static let name = "http2-conversation"

    static func check(_ input: [UInt8]) {
        var reader = InputReader(input)
        var conversation = ScriptedConversation(choice: reader.byte())
        for _ in 0..<400 where !reader.isAtEnd && !conversation.isOver { conversation.step(&reader) }
        conversation.settle()
        guard !conversation.isDamaged else { return }
        require(conversation.failures.isEmpty, "\(conversation.failures)")
        require(conversation.lost.isEmpty, "not arrived: \(conversation.lost)")
    }
}
