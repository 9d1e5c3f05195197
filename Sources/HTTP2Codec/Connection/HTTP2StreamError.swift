/// The error of a peer on one stream, which was reset for it; the connection goes on.
package enum HTTP2StreamError: Error, Sendable, Equatable {
    case head(HeaderBlockError)
    case trailers(HeaderBlockError)
    /// A second header block that does not end the stream.
    case trailersWithoutEnd
    case dataBeforeHead
    case afterEnd
    case contentLengthExceeded
    case contentLengthNotReached
    case bodyForbidden
    case tooManyInformationalResponses
    case windowExceeded
    case windowIncrementZero
    case windowTooLarge
    case prioritySizeWrong

    package var code: HTTP2ErrorCode {
        switch self {
        case .afterEnd: .streamClosed
        case .windowExceeded, .windowTooLarge: .flowControlError
        case .prioritySizeWrong: .frameSizeError
        case .head(.tooLarge), .trailers(.tooLarge), .tooManyInformationalResponses: .enhanceYourCalm
        default: .protocolError
        }
    }

    /// A word for metrics and logs, out of a fixed set.
    package var label: String {
        switch self {
        case .head: "head_malformed"
        case .trailers: "trailers_malformed"
        case .trailersWithoutEnd: "trailers_without_end"
        case .dataBeforeHead: "data_before_head"
        case .afterEnd: "after_end"
        case .contentLengthExceeded: "content_length_exceeded"
        case .contentLengthNotReached: "content_length_not_reached"
        case .bodyForbidden: "body_forbidden"
        case .tooManyInformationalResponses: "too_many_informational_responses"
        case .windowExceeded: "window_exceeded"
        case .windowIncrementZero: "window_increment_zero"
        case .windowTooLarge: "window_too_large"
        case .prioritySizeWrong: "priority_size_wrong"
        }
    }
}

extension HTTP2StreamError: CustomStringConvertible {
    /// One sentence for the person whose message it was; it quotes nothing of the message.
    package var description: String {
        switch self {
        case .head(let error): "The message head cannot be used: \(error)"
        case .trailers(let error): "The trailer section cannot be used: \(error)"
        case .trailersWithoutEnd: "A second header block follows the message head and does not end the stream."
        case .dataBeforeHead: "DATA came before the message head."
        case .afterEnd: "A frame came after the one that ended the stream."
        case .contentLengthExceeded: "The body is longer than its Content-Length."
        case .contentLengthNotReached: "The body is shorter than its Content-Length."
        case .bodyForbidden: "DATA came for a response that has no body."
        case .tooManyInformationalResponses: "The server sent more informational responses than the limit."
        case .windowExceeded: "DATA exceeds the stream's flow-control window."
        case .windowIncrementZero: "A WINDOW_UPDATE frame has the increment 0."
        case .windowTooLarge: "A WINDOW_UPDATE frame makes the stream's window larger than 2^31-1."
        case .prioritySizeWrong: "A PRIORITY frame is not five bytes long."
        }
    }
}
