/// Whether a Content-Type field value says `application/x-www-form-urlencoded`, in any case and with any parameters
/// (RFC 9110 §8.3.1).
package func isFormMediaType(_ contentType: Span<UInt8>) -> Bool {
    var position = 0
    while position < contentType.count, contentType[position].isOptionalWhitespace { position += 1 }
    for octet in "application/x-www-form-urlencoded".utf8 {
        guard position < contentType.count, contentType[position].lowercasedASCII == octet else { return false }
        position += 1
    }
    while position < contentType.count, contentType[position].isOptionalWhitespace { position += 1 }
    return position == contentType.count || contentType[position] == UInt8(ascii: ";")
}
