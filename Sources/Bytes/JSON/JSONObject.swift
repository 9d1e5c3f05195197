/// The outermost object of a JSON text (RFC 8259), for whoever wants a member or two of it byte for byte: numbers stay
/// the digits that were written, since an id of 64 bits does not survive as a floating-point number.
package struct JSONObject: Sendable {
    package enum Value: Sendable, Equatable {
        case text(String)
        /// As written.
        case number(String)
        case null
        /// An object, an array, a Boolean, or a text that is not Unicode (half a surrogate pair).
        case other
        /// The name occurs more than once, so that it depends on the reader which value counts.
        case repeated
    }

    /// In their order; a name may occur more than once.
    package let members: [(name: String, value: Value)]

    /// Nil unless the bytes are one well-formed JSON text whose value is an object, nested no deeper than 64 levels.
    package init?(_ bytes: [UInt8]) {
        guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
        var reader = JSONReader(bytes)
        guard let members = reader.readWholeObject() else { return nil }
        self.members = members
    }

    /// Nil when there is no such member. Names are equal when their bytes are.
    package subscript(_ name: String) -> Value? {
        let found = members.filter { $0.name.utf8.elementsEqual(name.utf8) }
        return found.count > 1 ? .repeated : found.first?.value
    }
}
