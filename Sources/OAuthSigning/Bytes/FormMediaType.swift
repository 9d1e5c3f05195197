import Bytes

/// Returns whether a Content-Type field value says `application/x-www-form-urlencoded`, in any case and with any
/// parameters (RFC 9110, section 8.3.1).
package func isFormMediaType(_ contentType: Span<UInt8>) -> Bool {
    var position = 0
    while position < contentType.count, contentType[position].isOptionalWhitespace { position += 1 }
    let form = formMediaType
    guard contentType.count - position >= form.count else { return false }
    for index in form.indices {
        guard contentType[position + index].lowercasedASCII == form[index] else { return false }
    }
    position += form.count
    while position < contentType.count, contentType[position].isOptionalWhitespace { position += 1 }
    return position == contentType.count || contentType[position] == UInt8(ascii: ";")
}

private let formMediaType = Array("application/x-www-form-urlencoded".utf8)
