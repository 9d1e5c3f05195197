import Bytes
import HTTP1Codec
import NIOCore
import NIOHPACK

/// Heads of the library to and from those that the proxy routes, signs and forwards.
enum HeadConversion {
    static func requestHead(_ headers: HPACKHeaders) throws -> RequestHead {
        var method = ""
        var path = ""
        var authority = ""
        var bytes = ByteBuffer()
        bytes.reserveCapacity(512)
        var start = 0
        var lines: [FieldLayout] = []
        lines.reserveCapacity(headers.count)
        for (name, value, _) in headers {
            if name.utf8.first == UInt8(ascii: ":") {
                switch name {
                case ":method": method = value
                case ":path": path = value
                case ":authority": authority = value
                default: break
                }
                continue
            }
            if lines.isEmpty { start = bytes.beginRequest(method, path, authority, &lines) }
            lines.append(try bytes.writeLine(name, value))
        }
        if lines.isEmpty { start = bytes.beginRequest(method, path, authority, &lines) }
        bytes.writeStaticString("\r\n")
        return RequestHead(
            fields: FieldSection(bytes: bytes, start: start, lines: lines),
            line: try RequestLine(method: method.utf8.span, path: path.utf8.span, scheme: .https),
            framing: .none,
            expectsContinue: false
        )
    }

    static func responseHead(_ headers: HPACKHeaders) throws -> ResponseHead {
        var status = 0
        var length: UInt64?
        var bytes = ByteBuffer()
        bytes.reserveCapacity(512)
        var start = 0
        var lines: [FieldLayout] = []
        lines.reserveCapacity(headers.count)
        for (name, value, _) in headers {
            if name == ":status" {
                status = Int(value) ?? 0
                bytes.writeStaticString("HTTP/2.0 ")
                bytes.writeString(value)
                bytes.writeStaticString(" \r\n")
                start = bytes.writerIndex
                continue
            }
            let line = try bytes.writeLine(name, value)
            lines.append(line)
            if name == "content-length" { length = UInt64(value) }
        }
        bytes.writeStaticString("\r\n")
        return ResponseHead(
            fields: FieldSection(bytes: bytes, start: start, lines: lines),
            status: status,
            framing: length.map(BodyFraming.length) ?? .endOfStream
        )
    }

    /// - Parameter head: One whose names are in lower case, as they came by HTTP/2.
    static func headers(_ head: RequestHead) -> HPACKHeaders {
        var headers = HPACKHeaders()
        headers.reserveCapacity(head.fields.count + 6)
        headers.add(name: ":method", value: String(buffer: head.methodBytes))
        headers.add(name: ":scheme", value: "https")
        headers.add(name: ":authority", value: head.fields.string(of: .host) ?? "")
        headers.add(name: ":path", value: String(buffer: head.target), indexing: .nonIndexable)
        for line in head.fields where line.known != .host {
            headers.add(name: String(buffer: line.name), value: String(buffer: line.value))
        }
        return headers
    }

    /// - Parameter head: One whose names are in lower case, as they came by HTTP/2.
    static func headers(_ head: ResponseHead) -> HPACKHeaders {
        var headers = HPACKHeaders()
        headers.reserveCapacity(head.fields.count + 2)
        headers.add(name: ":status", value: String(head.status))
        for line in head.fields {
            headers.add(name: String(buffer: line.name), value: String(buffer: line.value))
        }
        return headers
    }
}

extension ByteBuffer {
    /// - Returns: Where the first line begins.
    fileprivate mutating func beginRequest(
        _ method: String,
        _ path: String,
        _ authority: String,
        _ lines: inout [FieldLayout]
    ) -> Int {
        writeString(method)
        writeStaticString(" ")
        writeString(path)
        writeStaticString(" HTTP/2\r\n")
        let start = writerIndex
        writeStaticString("host: ")
        let count = writeString(authority)
        writeStaticString("\r\n")
        lines.append(FieldLayout(nameLength: 4, valueLength: UInt32(count), known: .host))
        return start
    }

    fileprivate mutating func writeLine(_ name: String, _ value: String) throws -> FieldLayout {
        let nameLength = writeString(name)
        writeStaticString(": ")
        let valueLength = writeString(value)
        writeStaticString("\r\n")
        guard let known = KnownFieldTable.shared.field(lowerCaseName: name.utf8.span) else {
            throw InvalidComparison("\(name) is no name")
        }
        return FieldLayout(nameLength: UInt16(nameLength), valueLength: UInt32(valueLength), known: known)
    }
}
