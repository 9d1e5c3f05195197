/// The outermost object of a JSON text (RFC 8259), for whoever wants a member or two of it byte for byte: numbers stay
/// the digits that were written, since an id of 64 bits does not survive as a floating-point number.
package struct JSONObject: Sendable {
    package enum Value: Sendable, Equatable {
        case text(String)
        /// A number, as written.
        case number(String)
        case null
        /// An object, an array, a Boolean, or a text that is not Unicode (half a surrogate pair).
        case other
        /// The name occurs more than once, so that it depends on the reader which value counts.
        case repeated
    }

    /// The members in their order; a name may occur more than once.
    package let members: [(name: String, value: Value)]

    /// Reads an object; nil unless the bytes are one well-formed JSON text whose value is an object, nested no deeper
    /// than 64 levels.
    package init?(_ bytes: [UInt8]) {
        guard String(validating: bytes, as: UTF8.self) != nil, let members = try? Self.members(of: bytes) else {
            return nil
        }
        self.members = members
    }

    /// Returns the position of the byte at which bytes cease to be such a text, whether they are UTF-8 or not; nil:
    /// they do nowhere.
    package static func position(ofFaultIn bytes: [UInt8]) -> Int? {
        do throws(JSONReader.Fault) {
            _ = try members(of: bytes)
            return nil
        } catch {
            switch error {
            case .malformed(let position): return position
            case .truncated: return bytes.count
            }
        }
    }

    /// The value of a member; nil when there is no such member. Names are equal when their bytes are.
    package subscript(_ name: String) -> Value? {
        let found = members.filter { $0.name.utf8.elementsEqual(name.utf8) }
        return found.count > 1 ? .repeated : found.first?.value
    }

    private static func members(of bytes: [UInt8]) throws(JSONReader.Fault) -> [(name: String, value: Value)] {
        var reader = JSONReader(bytes)
        guard try reader.next() == .objectStart else { throw .malformed(at: reader.position) }
        var members: [(name: String, value: Value)] = []
        // One that is not Unicode can be nobody's.
        var name: String?
        var depth = 1
        while let event = try reader.next() {
            let isMember = depth == 1
            let value: Value
            switch event {
            case .name(let own):
                if isMember { name = own.form == .text ? own.text : nil }
                continue
            case .objectEnd, .arrayEnd:
                depth -= 1
                continue
            case .objectStart, .arrayStart:
                depth += 1
                value = .other
            case .string(let string): value = string.form == .text ? .text(string.text) : .other
            case .number(let digits): value = .number(digits)
            case .boolean: value = .other
            case .null: value = .null
            }
            if isMember, let name { members.append((name: name, value: value)) }
        }
        return members
    }
}
