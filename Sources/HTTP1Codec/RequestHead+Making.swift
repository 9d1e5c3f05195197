import Bytes
import NIOCore

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
        method: some Collection<UInt8>,
        target: some Collection<UInt8>,
        fields: [(name: String, value: [UInt8])],
        contentLength: Int? = nil
    ) throws(MessageError) {
        let length = contentLength.map { [(name: "Content-Length", value: Array("\($0)".utf8))] } ?? []
        var bytes = ByteBuffer()
        bytes.writeBytes(method)
        bytes.writeStaticString(" ")
        bytes.writeBytes(target)
        bytes.writeStaticString(" HTTP/1.1\r\n")
        let start = bytes.readableBytes
        var layouts: [FieldLayout] = []
        for (name, value) in fields + length {
            guard !name.isEmpty, name.utf8.allSatisfy(\.isToken) else { throw .fieldNameMalformed }
            guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .controlByte }
            guard let nameLength = UInt16(exactly: name.utf8.count), let valueLength = UInt32(exactly: value.count)
            else { throw .headerTooLarge }
            bytes.writeString(name)
            bytes.writeStaticString(": ")
            bytes.writeBytes(value)
            bytes.writeStaticString("\r\n")
            let known = KnownFieldTable.shared.field(for: FieldNameKey(name))
            layouts.append(FieldLayout(nameLength: nameLength, valueLength: valueLength, known: known))
        }
        bytes.writeStaticString("\r\n")
        guard bytes.readableBytes <= MessageLimits().headerBytes else { throw .headerTooLarge }
        self.init(
            fields: FieldSection(bytes: bytes, start: start, lines: layouts),
            line: try RequestLine(method: Array(method).span, target: Array(target).span),
            framing: contentLength.map { .length(UInt64($0)) } ?? .none,
            expectsContinue: false
        )
    }
}
