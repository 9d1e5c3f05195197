package import HTTP1Codec

/// The reason why a head is malformed though its block could be decompressed (RFC 9113, sections 8.1.1, 8.2 and 8.3).
package enum MalformedHead: Error, Sendable, Equatable {
    /// A fault for which HTTP/1.1 would refuse the head as well.
    case message(MessageError)
    case fieldNameMalformed
    case fieldValueMalformed
    case connectionField
    case teMalformed
    case pseudoFieldUnknown
    case pseudoFieldMissing
    case pseudoFieldRepeated
    case pseudoFieldMisplaced
    case schemeUnknown
    case connectUnsupported
    case hostDiffers
    case statusMalformed
    case switchingProtocols
    case interimEndsStream
    case contentLengthWithoutBody

    /// The status with which a server answers; `nil` if the stream is to be reset. Of two hosts a client is
    /// told, because that is a mistake of people rather than of its HTTP/2.
    package var status: Int? {
        switch self {
        case .hostDiffers: 400
        default: nil
        }
    }
}

extension MalformedHead: CustomStringConvertible {
    /// A word for metrics and logs, out of a fixed set.
    package var label: String {
        switch self {
        case .message(let error): error.label
        case .fieldNameMalformed: "field_name_malformed"
        case .fieldValueMalformed: "field_value_malformed"
        case .connectionField: "connection_field"
        case .teMalformed: "te_malformed"
        case .pseudoFieldUnknown: "pseudo_field_unknown"
        case .pseudoFieldMissing: "pseudo_field_missing"
        case .pseudoFieldRepeated: "pseudo_field_repeated"
        case .pseudoFieldMisplaced: "pseudo_field_misplaced"
        case .schemeUnknown: "scheme_unknown"
        case .connectUnsupported: "connect_unsupported"
        case .hostDiffers: "host_differs"
        case .statusMalformed: "status_malformed"
        case .switchingProtocols: "switching_protocols"
        case .interimEndsStream: "interim_ends_stream"
        case .contentLengthWithoutBody: "content_length_without_body"
        }
    }

    /// One sentence for the person whose message it was; it quotes nothing of the message.
    package var description: String {
        switch self {
        case .message(let error): error.description
        case .fieldNameMalformed: "A field name is no token in lower case."
        case .fieldValueMalformed: "A field value holds a control character, or begins or ends with white space."
        case .connectionField:
            "The message has a field that belongs to a connection of HTTP/1.1, such as Connection or Transfer-Encoding."
        case .teMalformed: "The TE field of an HTTP/2 request can only say trailers."
        case .pseudoFieldUnknown: "The message has a pseudo-field that is not defined for it."
        case .pseudoFieldMissing:
            "A pseudo-field is missing: a request needs :method, :scheme and :path, a response :status."
        case .pseudoFieldRepeated: "The message has the same pseudo-field twice."
        case .pseudoFieldMisplaced: "A pseudo-field stands behind a field, or in a trailer section."
        case .schemeUnknown: "The :scheme is neither https nor http."
        case .connectUnsupported:
            "No tunnel can be opened inside an HTTP/2 connection here; CONNECT must come by HTTP/1.1."
        case .hostDiffers: "The Host field is not the same as :authority."
        case .statusMalformed: "The :status is not three digits from 100 to 999."
        case .switchingProtocols: "The status 101 (Switching Protocols) does not exist in HTTP/2."
        case .interimEndsStream: "An informational response ends the stream, so that no final one can follow."
        case .contentLengthWithoutBody: "The Content-Length is above 0, but the stream ends with the head."
        }
    }
}
