import Bytes

/// Returns whether a Content-Type field value says `application/x-www-form-urlencoded`, in any case and with any
/// parameters (RFC 9110, section 8.3.1).
package func isFormMediaType(_ contentType: Span<UInt8>) -> Bool {
    var position = 0
    while position < contentType.count, contentType[position].isOptionalWhitespace { position += 1 }
    let form = "application/x-www-form-urlencoded"
    guard contentType.extracting(position...).hasPrefixIgnoringCase(form) else { return false }
    position += form.utf8.count
    while position < contentType.count, contentType[position].isOptionalWhitespace { position += 1 }
    return position == contentType.count || contentType[position] == UInt8(ascii: ";")
}
