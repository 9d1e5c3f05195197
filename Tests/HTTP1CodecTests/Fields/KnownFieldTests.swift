import Bytes
import NIOCore
import Testing

@testable import HTTP1Codec

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
        #expect(try known(name) == field)
        #expect(try known(name.uppercased()) == field)
        let alternating = name.enumerated().map { $0 % 2 == 0 ? $1.uppercased() : "\($1)" }.joined()
        #expect(try known(alternating) == field)
        #expect(try known(name + "x") == .other)
        #expect(try known("x" + name) == .other)
        #expect(try known(String(name.dropLast()) + "~") == .other)
        #expect(try known("~" + String(name.dropFirst())) == .other)
        #expect(try known(name + String(repeating: "a", count: 32)) == .other)
        #expect(try known(String(repeating: "a", count: 32) + name) == .other)
    }

    @Test func `An underscore is not a hyphen`() throws {
        #expect(try known("content_length") == .other)
        #expect(try known("transfer_encoding") == .other)
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
        #expect(set == [.host, .via, .ifRange])
        #expect(set.union([.date]) == [.host, .via, .ifRange, .date])
        #expect(set.isDisjoint(with: [.age, .date]))
        #expect(!set.isDisjoint(with: [.via]))
        #expect(KnownFieldSet() == [.other])
    }

    @Test(arguments: [1, 7, 8, 9, 16, 19])
    func `A name ends where the first byte stands that no token holds`(_ length: Int) throws {
        for place in 0..<length {
            for byte in UInt8.min...UInt8.max where byte != 0x3A && !byte.isOptionalWhitespace {
                var line = [UInt8](repeating: 0x61, count: length) + Array(": value".utf8)
                line[place] = byte
                let bytes = line + [0x0D, 0x0A]
                let entry = Result { () throws(MessageError) in try FieldEntry(line: 0..<line.count, of: bytes.span) }
                #expect((try? entry.get())?.name == (byte.isToken ? 0..<length : nil))
            }
        }
    }

    @Test(arguments: fields)
    func `A name that differs in one letter is another`(_ field: KnownField) throws {
        let name = Array(field.name.utf8)
        for place in name.indices {
            var other = name
            other[place] = other[place] == 0x7A ? 0x79 : 0x7A
            let bytes = other + [0x3A, 0x0D, 0x0A]
            let entry = try FieldEntry(line: 0..<other.count + 1, of: bytes.span)
            #expect(entry.known != field)
        }
    }
}
