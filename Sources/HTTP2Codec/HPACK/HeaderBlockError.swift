/// The reason why a header block was refused.
package enum HeaderBlockError: Error, Sendable, Equatable {
    /// The block cannot be decompressed, and no later one either: a connection error of the type COMPRESSION_ERROR
    /// (RFC 9113, section 4.3).
    case compression
    /// The block is no head of a message, though the connection can go on: a stream error of the type PROTOCOL_ERROR
    /// (RFC 9113, section 8.1.1), unless `status` says how to answer.
    case malformed(MalformedHead)
    /// The fields are larger or more than `MessageLimits` allows. The table has taken all of them in, so the connection
    /// can go on.
    case tooLarge

    /// The status with which a server answers the request; `nil` if the stream, or the connection, is to be reset.
    package var status: Int? {
        switch self {
        case .compression: nil
        case .malformed(let fault): fault.status
        case .tooLarge: 431
        }
    }
}

extension HeaderBlockError: CustomStringConvertible {
    /// A word for metrics and logs, out of a fixed set.
    package var label: String {
        switch self {
        case .compression: "header_compression"
        case .malformed(let fault): fault.label
        case .tooLarge: "header_too_large"
        }
    }

    /// One sentence for the person whose message it was; it quotes nothing of the message.
    package var description: String {
        switch self {
        case .compression: "A header block is not encoded as HPACK requires, so nothing after it can be decoded."
        case .malformed(let fault): fault.description
        case .tooLarge: "The message head has more fields, or larger ones, than the limit."
        }
    }
}
