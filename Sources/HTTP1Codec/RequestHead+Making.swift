import Bytes
package import NIOCore

extension RequestHead {
    /// A head of this program's own, in the form of HTTP/1.1.
    ///
    /// - Parameters:
    ///   - target: The request target, in origin-form.
    ///   - fields: Names and values, Host among them; without those that say how long the body is.
    ///   - contentLength: The number of bytes of the body; nil: there is no body, and no field that says so.
    /// - Throws: `methodMalformed`, `targetMalformed`, `fieldNameMalformed`, `controlByte` or `headerTooLarge` for what
    ///   no recipient would take.
    package init(
        method: String,
        target: String,
        fields: [(name: String, value: String)],
        contentLength: Int?
    ) throws(MessageError) {
        let length: [(name: String, value: String)] = contentLength.map { [("Content-Length", "\($0)")] } ?? []
        let fields = fields + length
        for (name, value) in fields {
            guard !name.isEmpty, name.utf8.allSatisfy(\.isToken) else { throw .fieldNameMalformed }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .controlByte }
        }
        try self.init(
            method: Array(method.utf8),
            target: Array(target.utf8),
            uncheckedFields: fields.map { ($0.name, Array($0.value.utf8)) },
            framing: contentLength.map { .length(UInt64($0)) } ?? .none
        )
        guard bytes.readableBytes <= MessageLimits().headerBytes else { throw .headerTooLarge }
    }

    /// - Parameter uncheckedFields: Tokens, and values of any bytes.
    init(
        method: [UInt8],
        target: [UInt8],
        uncheckedFields: [(name: String, value: [UInt8])],
        framing: BodyFraming
    ) throws(MessageError) {
        let line = try RequestLine(method: method.span, target: target.span)
        var bytes = ByteBuffer()
        bytes.writeBytes(method)
        bytes.writeStaticString(" ")
        bytes.writeBytes(target)
        bytes.writeStaticString(" HTTP/1.1\r\n")
        let start = bytes.readableBytes
        var layouts: [FieldLayout] = []
        for (name, value) in uncheckedFields {
            guard let nameLength = UInt16(exactly: name.utf8.count), let valueLength = UInt32(exactly: value.count) else {
                throw .headerTooLarge
            }
            bytes.writeString(name)
            bytes.writeStaticString(": ")
            bytes.writeBytes(value)
            bytes.writeStaticString("\r\n")
            let known = KnownFieldTable.shared.field(for: FieldNameKey(name))
            layouts.append(FieldLayout(nameLength: nameLength, valueLength: valueLength, known: known))
        }
        bytes.writeStaticString("\r\n")
        self.init(
            fields: FieldSection(bytes: bytes, start: start, lines: layouts),
            line: line,
            framing: framing,
            expectsContinue: false
        )
    }
}
