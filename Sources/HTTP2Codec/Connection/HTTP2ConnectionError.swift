/// The reason why a connection cannot go on. GOAWAY with the code is in the output when one of these is thrown.
package enum HTTP2ConnectionError: Error, Sendable, Equatable {
    case prefaceMalformed
    case settingsMissing
    case frameTooLarge
    case frameSizeWrong
    case paddingTooLong
    /// A frame of this type needs a stream, or must not have one.
    case streamIDMisplaced
    /// A client used an even number, or one below that of an earlier stream.
    case streamIDInvalid
    case streamIdle
    case streamClosed
    case headersInterrupted
    case continuationUnexpected
    case pushUnexpected
    case settingInvalid
    case initialWindowTooLarge
    case windowIncrementZero
    case windowTooLarge
    case windowExceeded
    case headerBlockCorrupt
    case headerBlockTooLarge
    case tooManyContinuations
    case tooManySettings
    case tooManyWaitingAnswers
    case tooManyAbandonedStreams
    /// The bound was reached with a frame of this type, or with one of a type that is not understood.
    case tooManyIdleFrames(FrameType?)

    package var code: HTTP2ErrorCode {
        switch self {
        case .frameTooLarge, .frameSizeWrong: .frameSizeError
        case .streamClosed: .streamClosed
        case .initialWindowTooLarge, .windowTooLarge, .windowExceeded: .flowControlError
        case .headerBlockCorrupt: .compressionError
        case .headerBlockTooLarge, .tooManyContinuations, .tooManySettings, .tooManyWaitingAnswers,
            .tooManyAbandonedStreams, .tooManyIdleFrames:
            .enhanceYourCalm
        default: .protocolError
        }
    }
}
