import HTTP1Codec
import Testing

@testable import HTTP2Codec

@Suite struct ErrorTests {
    static let connectionErrors: [HTTP2ConnectionError] = [
        .prefaceMalformed, .settingsMissing, .frameTooLarge, .frameSizeWrong, .paddingTooLong, .streamIDMisplaced,
        .streamIDInvalid, .streamIdle, .streamClosed, .headersInterrupted, .continuationUnexpected, .pushUnexpected,
        .settingInvalid, .initialWindowTooLarge, .windowIncrementZero, .windowTooLarge, .windowExceeded,
        .headerBlockCorrupt, .headerBlockTooLarge, .tooManyContinuations, .tooManySettings, .tooManyWaitingAnswers,
        .tooManyAbandonedStreams, .tooManyIdleFrames(.ping),
    ]
    static let streamErrors: [HTTP2StreamError] = [
        .head(.tooLarge), .trailers(.tooLarge), .trailersWithoutEnd, .dataBeforeHead, .afterEnd,
        .contentLengthExceeded, .contentLengthNotReached, .bodyForbidden, .tooManyInformationalResponses,
        .windowExceeded, .windowIncrementZero, .windowTooLarge, .prioritySizeWrong,
    ]

    @Test func `Labels are words that differ`() {
        for labels in [Self.connectionErrors.map(\.label), Self.streamErrors.map(\.label)] {
            #expect(Set(labels).count == labels.count)
            #expect(labels.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "_" } })
        }
    }

    @Test func `Descriptions are sentences that differ`() {
        let sentences = Self.connectionErrors.map(\.description) + Self.streamErrors.map(\.description)
        #expect(Set(sentences).count == sentences.count)
        #expect(sentences.allSatisfy { $0.hasSuffix(".") && $0.first?.isUppercase == true })
        // They are the debug text of a frame.
        #expect(sentences.allSatisfy { $0.utf8.count < 256 && $0.utf8.allSatisfy { $0 < 0x80 } })
    }

    @Test func `The sentence names the frame that reached the limit`() {
        #expect(HTTP2ConnectionError.tooManyIdleFrames(.ping).description.hasSuffix("ping."))
        #expect(HTTP2ConnectionError.tooManyIdleFrames(nil).description.hasSuffix("of an unknown type."))
    }

    @Test(arguments: [
        (0 as UInt32, "no_error"), (0x7, "refused_stream"), (0xD, "http_1_1_required"), (0xE, "unregistered"),
    ])
    func `Codes have labels`(_ code: UInt32, _ label: String) {
        #expect(HTTP2ErrorCode(rawValue: code).label == label)
    }
}
