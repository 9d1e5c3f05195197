/// Finds the known field of a name: one multiplication, and one comparison for almost every name.
struct KnownFieldTable: Sendable {
    private struct Slot {
        var key = FieldNameKey()
        var field = KnownField.other
    }

    static let shared = KnownFieldTable()

    private var slots = [Slot](repeating: Slot(), count: 128)

    private init() {
        for field in KnownField.allCases where field != .other {
            let key = FieldNameKey(field.name)
            var index = key.slot
            while self.slots[index].field != .other { index = (index + 1) & 127 }
            self.slots[index] = Slot(key: key, field: field)
        }
    }

    /// Probing ends because most slots are free.
    func field(for key: FieldNameKey) -> KnownField {
        var index = key.slot
        while self.slots[index].field != .other {
            if self.slots[index].key == key { return self.slots[index].field }
            index = (index + 1) & 127
        }
        return .other
    }
}
