import HTTP1Codec
import NIOCore
import Testing

@Suite struct AppendedFieldsTests {
    private func lines(_ fields: AppendedFields) -> [String] {
        fields.map { "\(String(buffer: $0.name))=\(String(buffer: $0.value))" }
    }

    @Test func `Each way to append makes a line and knows its parts`() {
        var fields: AppendedFields = ["Left": "over"]
        fields.removeAll()
        fields.append(.te, line: "TE: trailers\r\n")
        fields.append(.authorization, "Authorization: ", Array("OAuth a".utf8).span.bytes)
        fields.append(.contentLength, "Content-Length: ", text: "12")
        fields.append("X-Key", Array("".utf8).span.bytes)
        let expected = "TE: trailers\r\nAuthorization: OAuth a\r\nContent-Length: 12\r\nX-Key: \r\n"
        #expect(String(buffer: fields.bytes) == expected)
        #expect(lines(fields) == ["TE=trailers", "Authorization=OAuth a", "Content-Length=12", "X-Key="])
        #expect(fields.map(\.known) == [.te, .authorization, .contentLength, .other])
        #expect(fields.count == 4)
        let places = (0..<4).map { fields.place(at: $0) }
        #expect(places.map(\.name) == [0..<2, 14..<27, 38..<52, 58..<63])
        #expect(places.map(\.value) == [4..<12, 29..<36, 54..<56, 65..<65])
    }

    @Test func `A literal knows the names that are known`() {
        let fields: AppendedFields = ["VIA": "1.1 paraph", "X-A": "b"]
        #expect(String(buffer: fields.bytes) == "VIA: 1.1 paraph\r\nX-A: b\r\n")
        #expect(fields.map(\.known) == [.via, .other])
        let none: AppendedFields = [:]
        #expect(none.count == 0 && none.bytes.readableBytes == 0)
    }
}
