/// The reason why a message was refused. After one of these nothing more can be read from the connection: where the
/// next message would begin is not known.
package enum MessageError: Error, Sendable, Equatable, CaseIterable {
    case emptyLineRepeated
    case requestLineMalformed
    case methodMalformed
    case targetMalformed
    case targetTooLong
    case versionUnsupported
    case statusLineMalformed
    case bareLineFeed
    case bareCarriageReturn
    case controlByte
    case foldedField
    case fieldNameMalformed
    case headerTooLarge
    case tooManyFields
    case hostMissing
    case hostRepeated
    case hostMalformed
    case contentLengthMalformed
    case contentLengthRepeated
    case contentLengthWithTransferEncoding
    case transferEncodingMalformed
    case transferEncodingRepeated
    case transferEncodingInHTTP10
    case transferCodingUnsupported
    case connectionMalformed
    case connectionOptionForbidden
    case tooManyConnectionOptions
    case connectWithBody
    case chunkSizeMalformed
    case chunkSizeTooLarge
    case chunkLineTooLong
    case chunkExtensionMalformed
    case chunkExtensionsTooLong
    case chunkDelimiterMissing
    case trailerFieldForbidden
    case trailersTooLarge
    case truncated
    case messageAfterClose
    case unsolicitedResponse
    case tooManyInformationalResponses

    /// The status that answers such a request. A response with the error makes the proxy answer 502 instead.
    package var status: Int {
        switch self {
        case .targetTooLong: 414
        case .headerTooLarge, .tooManyFields, .tooManyConnectionOptions, .trailersTooLarge: 431
        case .transferCodingUnsupported: 501
        case .versionUnsupported: 505
        default: 400
        }
    }
}

extension MessageError: CustomStringConvertible {
    /// A word for metrics and logs, out of a fixed set.
    package var label: String {
        switch self {
        case .emptyLineRepeated: "empty_line_repeated"
        case .requestLineMalformed: "request_line_malformed"
        case .methodMalformed: "method_malformed"
        case .targetMalformed: "target_malformed"
        case .targetTooLong: "target_too_long"
        case .versionUnsupported: "version_unsupported"
        case .statusLineMalformed: "status_line_malformed"
        case .bareLineFeed: "bare_line_feed"
        case .bareCarriageReturn: "bare_carriage_return"
        case .controlByte: "control_byte"
        case .foldedField: "folded_field"
        case .fieldNameMalformed: "field_name_malformed"
        case .headerTooLarge: "header_too_large"
        case .tooManyFields: "too_many_fields"
        case .hostMissing: "host_missing"
        case .hostRepeated: "host_repeated"
        case .hostMalformed: "host_malformed"
        case .contentLengthMalformed: "content_length_malformed"
        case .contentLengthRepeated: "content_length_repeated"
        case .contentLengthWithTransferEncoding: "content_length_with_transfer_encoding"
        case .transferEncodingMalformed: "transfer_encoding_malformed"
        case .transferEncodingRepeated: "transfer_encoding_repeated"
        case .transferEncodingInHTTP10: "transfer_encoding_in_http10"
        case .transferCodingUnsupported: "transfer_coding_unsupported"
        case .connectionMalformed: "connection_malformed"
        case .connectionOptionForbidden: "connection_option_forbidden"
        case .tooManyConnectionOptions: "too_many_connection_options"
        case .connectWithBody: "connect_with_body"
        case .chunkSizeMalformed: "chunk_size_malformed"
        case .chunkSizeTooLarge: "chunk_size_too_large"
        case .chunkLineTooLong: "chunk_line_too_long"
        case .chunkExtensionMalformed: "chunk_extension_malformed"
        case .chunkExtensionsTooLong: "chunk_extensions_too_long"
        case .chunkDelimiterMissing: "chunk_delimiter_missing"
        case .trailerFieldForbidden: "trailer_field_forbidden"
        case .trailersTooLarge: "trailers_too_large"
        case .truncated: "truncated"
        case .messageAfterClose: "message_after_close"
        case .unsolicitedResponse: "unsolicited_response"
        case .tooManyInformationalResponses: "too_many_informational_responses"
        }
    }

    /// One sentence for the person whose message it was; it quotes nothing of the message.
    package var description: String {
        switch self {
        case .emptyLineRepeated: "More than one empty line precedes the request line."
        case .requestLineMalformed: "The request line is not METHOD SP TARGET SP HTTP/1.1."
        case .methodMalformed: "The request method is no token."
        case .targetMalformed:
            "The request target has no form that the method allows, or holds a byte that must be percent-encoded."
        case .targetTooLong: "The request line is longer than the limit for a message head."
        case .versionUnsupported: "Only HTTP/1.1 and HTTP/1.0 are understood here."
        case .statusLineMalformed: "The status line is not HTTP/1.1 SP CODE SP REASON with a code from 100 to 999."
        case .bareLineFeed: "A line ends with LF alone; lines must end with CR LF."
        case .bareCarriageReturn: "A CR is not followed by LF."
        case .controlByte: "The message head or a chunk-size line holds a control character."
        case .foldedField: "A field line begins with white space; folded field values are obsolete and refused."
        case .fieldNameMalformed: "A field line has no name that is a token directly followed by a colon."
        case .headerTooLarge: "The message head is larger than the limit."
        case .tooManyFields: "The message head has more field lines than the limit."
        case .hostMissing: "An HTTP/1.1 request must have a Host field."
        case .hostRepeated: "The request has more than one Host field."
        case .hostMalformed: "The Host field is not HOST or HOST:PORT."
        case .contentLengthMalformed: "Content-Length must be one decimal number that fits in 63 bits."
        case .contentLengthRepeated: "The message has more than one Content-Length field."
        case .contentLengthWithTransferEncoding:
            "The message has both Content-Length and Transfer-Encoding, so that its length is ambiguous."
        case .transferEncodingMalformed: "The Transfer-Encoding field is empty or ends with a tab."
        case .transferEncodingRepeated: "The message has more than one Transfer-Encoding field."
        case .transferEncodingInHTTP10: "An HTTP/1.0 message must not have a Transfer-Encoding field."
        case .transferCodingUnsupported: "The only transfer coding understood here is a single chunked."
        case .connectionMalformed: "The Connection field is not a list of tokens."
        case .connectionOptionForbidden:
            "The Connection field names a field that is meant for every recipient, such as Host or Content-Length."
        case .tooManyConnectionOptions: "The Connection fields list more options than the limit."
        case .connectWithBody: "A CONNECT request must not announce a body."
        case .chunkSizeMalformed: "A chunk does not begin with its size in hexadecimal digits."
        case .chunkSizeTooLarge: "A chunk size does not fit in 60 bits."
        case .chunkLineTooLong: "A chunk-size line is longer than the limit."
        case .chunkExtensionMalformed: "A chunk extension is not ;NAME or ;NAME=VALUE without white space."
        case .chunkExtensionsTooLong: "The chunk extensions of one message are longer than the limit."
        case .chunkDelimiterMissing: "The data of a chunk is not followed by CR LF."
        case .trailerFieldForbidden: "The trailer section has a field that would change the framing or the connection."
        case .trailersTooLarge: "The trailer section is larger than the limit."
        case .truncated: "The connection was closed before the message was complete."
        case .messageAfterClose: "Bytes follow a message that announced the close of the connection."
        case .unsolicitedResponse: "The server sent bytes of a response that no request asked for."
        case .tooManyInformationalResponses: "The server sent more informational responses than the limit."
        }
    }
}
