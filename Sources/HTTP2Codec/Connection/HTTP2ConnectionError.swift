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

extension HTTP2ConnectionError: CustomStringConvertible {
    /// A word for metrics and logs, out of a fixed set.
    package var label: String {
        switch self {
        case .prefaceMalformed: "preface_malformed"
        case .settingsMissing: "settings_missing"
        case .frameTooLarge: "frame_too_large"
        case .frameSizeWrong: "frame_size_wrong"
        case .paddingTooLong: "padding_too_long"
        case .streamIDMisplaced: "stream_id_misplaced"
        case .streamIDInvalid: "stream_id_invalid"
        case .streamIdle: "stream_idle"
        case .streamClosed: "stream_closed"
        case .headersInterrupted: "headers_interrupted"
        case .continuationUnexpected: "continuation_unexpected"
        case .pushUnexpected: "push_unexpected"
        case .settingInvalid: "setting_invalid"
        case .initialWindowTooLarge: "initial_window_too_large"
        case .windowIncrementZero: "window_increment_zero"
        case .windowTooLarge: "window_too_large"
        case .windowExceeded: "window_exceeded"
        case .headerBlockCorrupt: "header_block_corrupt"
        case .headerBlockTooLarge: "header_block_too_large"
        case .tooManyContinuations: "too_many_continuations"
        case .tooManySettings: "too_many_settings"
        case .tooManyWaitingAnswers: "too_many_waiting_answers"
        case .tooManyAbandonedStreams: "too_many_abandoned_streams"
        case .tooManyIdleFrames: "too_many_idle_frames"
        }
    }

    /// One sentence for the person whose connection it was; it is also the debug text of the GOAWAY frame.
    package var description: String {
        switch self {
        case .prefaceMalformed: "The connection does not begin with the HTTP/2 connection preface."
        case .settingsMissing: "The first frame is not SETTINGS."
        case .frameTooLarge: "A frame is larger than the announced SETTINGS_MAX_FRAME_SIZE."
        case .frameSizeWrong: "A frame has a length that its type does not allow."
        case .paddingTooLong: "The padding of a frame is longer than its payload."
        case .streamIDMisplaced: "A frame is on a stream though its type needs the connection, or the reverse."
        case .streamIDInvalid: "A new stream has a number that is even or below that of an earlier stream."
        case .streamIdle: "A frame is on a stream that was never opened."
        case .streamClosed: "A header block is on a stream that has ended."
        case .headersInterrupted: "A header block was interrupted by another frame."
        case .continuationUnexpected: "A CONTINUATION frame follows no unfinished header block."
        case .pushUnexpected: "A PUSH_PROMISE frame came though push is off, or from a client."
        case .settingInvalid: "A setting has a value that is not allowed."
        case .initialWindowTooLarge: "SETTINGS_INITIAL_WINDOW_SIZE is above 2^31-1, or makes a window larger than that."
        case .windowIncrementZero: "A WINDOW_UPDATE frame for the connection has the increment 0."
        case .windowTooLarge: "A WINDOW_UPDATE frame makes the connection's window larger than 2^31-1."
        case .windowExceeded: "DATA exceeds the connection's flow-control window."
        case .headerBlockCorrupt: "A header block cannot be decompressed."
        case .headerBlockTooLarge: "A header block is far larger than the limit for a message head."
        case .tooManyContinuations: "A header block is spread over too many CONTINUATION frames."
        case .tooManySettings: "A SETTINGS frame has too many parameters."
        case .tooManyWaitingAnswers: "Too many PING or SETTINGS frames were sent while the answers were not read."
        case .tooManyAbandonedStreams: "Too many streams were opened and abandoned."
        case .tooManyIdleFrames(let type):
            "Too many frames were sent that move no stream; the last was "
                + "\(type.map(String.init(describing:)) ?? "of an unknown type")."
        }
    }
}
