import HTTP1Codec
import NIOCore
import Testing

@Suite struct FieldSectionTests {
    private func section() throws -> FieldSection {
        try Reading.requestHead("GET / HTTP/1.1\r\nHost: h\r\nVIA:\t a b \t\r\nX-Y:\r\nvia:c\r\n\r\n").fields
    }

    @Test func `Values come in order and without the white space around them`() throws {
        let section = try section()
        #expect(section.string(of: .via) == "a b")
        #expect(section.values(of: .via).map { String(buffer: $0) } == ["a b", "c"])
        #expect(section.value(of: .host) == ByteBuffer(string: "h"))
        #expect(section.count == 4)
    }

    @Test func `An absent field has no value`() throws {
        let section = try section()
        #expect(section.value(of: .date) == nil)
        #expect(section.string(of: .date) == nil)
        #expect(Array(section.values(of: .date)).isEmpty)
        #expect(!section.contains(.date))
        #expect(section.contains(.via))
        #expect(!section.contains(.other))
    }

    @Test func `Iteration gives every line as it was spelled`() throws {
        #expect(Reading.lines(try section()) == ["Host: h", "VIA: a b", "X-Y: ", "via: c"])
    }

    @Test func `Only nominated lines say so`() throws {
        let head = try Reading.requestHead(
            "GET / HTTP/1.1\r\nHost: h\r\nX-A: 1\r\nConnection: x-a, x-b\r\nX-C: 2\r\n\r\n"
        )
        #expect(head.fields.filter(\.isNominated).map { String(buffer: $0.name) } == ["X-A"])
        #expect(head.connection.upgrade == false)
    }
}
