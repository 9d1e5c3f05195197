import HTTP1Codec
import NIOCore
import Testing

@Suite struct KnownFieldTests {
    static let fields = KnownField.allCases.filter { $0 != .other }

    private func known(_ name: String) throws -> KnownField? {
        let text = "HTTP/1.1 200 OK\r\n\(name): 1\r\n\r\n"
        return try Reading.responseHead(text).fields.map(\.known).first
    }

    /// Transfer-Encoding does not take the value 1.
    @Test(arguments: fields.filter { $0 != .transferEncoding && $0 != .host })
    func `A known field is found in any spelling and nothing near it is`(_ field: KnownField) throws {
        let name = field.name
        #expect(try self.known(name) == field)
        #expect(try self.known(name.uppercased()) == field)
        let alternating = name.enumerated().map { $0 % 2 == 0 ? $1.uppercased() : "\($1)" }.joined()
        #expect(try self.known(alternating) == field)
        #expect(try self.known(name + "x") == .other)
        #expect(try self.known("x" + name) == .other)
        #expect(try self.known(String(name.dropLast()) + "~") == .other)
        #expect(try self.known("~" + String(name.dropFirst())) == .other)
        #expect(try self.known(name + String(repeating: "a", count: 32)) == .other)
        #expect(try self.known(String(repeating: "a", count: 32) + name) == .other)
    }

    @Test func `An underscore is not a hyphen`() throws {
        #expect(try self.known("content_length") == .other)
        #expect(try self.known("transfer_encoding") == .other)
    }

    @Test func `Names are unique and in lower case`() {
        #expect(Set(Self.fields.map(\.name)).count == Self.fields.count)
        for field in Self.fields {
            #expect(field.name == field.name.lowercased())
            #expect(!field.name.isEmpty)
        }
        #expect(Self.fields.count < 64, "KnownFieldSet has one bit each")
    }

    @Test func `A set holds what was put in, and never the field that has no name`() {
        var set: KnownFieldSet = [.host, .ifRange, .other]
        #expect(set.contains(.host))
        #expect(set.contains(.ifRange))
        #expect(!set.contains(.via))
        #expect(!set.contains(.other))
        set.insert(.via)
        set.remove(.host)
        #expect(set == [.via, .ifRange])
        #expect(set.union([.host]) == [.host, .via, .ifRange])
        #expect(set.subtracting([.via, .date]) == [.ifRange])
        #expect(set.isDisjoint(with: [.host, .date]))
        #expect(!set.isDisjoint(with: [.via]))
        #expect(!set.isEmpty)
        #expect(KnownFieldSet().isEmpty)
    }
}
