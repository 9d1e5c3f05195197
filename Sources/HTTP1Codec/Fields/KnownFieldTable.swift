/// Finds the known field of a name: one multiplication, and one comparison for almost every name.
package struct KnownFieldTable: Sendable {
    private struct Slot {
        var key = FieldNameKey()
        var field = KnownField.other
    }

    package static let shared = KnownFieldTable()

    private var slots = [Slot](repeating: Slot(), count: 128)

    private init() {
        for field in KnownField.allCases where field != .other {
            let key = FieldNameKey(field.name)
            var index = key.slot
            while slots[index].field != .other { index = (index + 1) & 127 }
            slots[index] = Slot(key: key, field: field)
        }
    }

    /// The field of a name in lower case.
    ///
    /// - Returns: `nil` if the bytes are no token, or hold a capital letter.
    package func field(lowerCaseName name: Span<UInt8>) -> KnownField? {
        if name.isEmpty { return nil }
        var key = FieldNameKey()
        for index in name.indices {
            let byte = name[index]
            guard byte.foldedToken == byte, byte != 0 else { return nil }
            key.append(byte)
        }
        return field(for: key)
    }

    /// Probing ends because most slots are free.
    func field(for key: FieldNameKey) -> KnownField {
        var index = key.slot
        while slots[index].field != .other {
            if slots[index].key == key { return slots[index].field }
            index = (index + 1) & 127
        }
        return .other
    }
}
