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
