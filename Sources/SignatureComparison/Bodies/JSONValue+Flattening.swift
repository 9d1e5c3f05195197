import Bytes

extension JSONValue {
    /// The same with numbers as a float is written: 1.5 for 1.50, and 10 for 10.0.
    var withPlainNumbers: JSONValue {
        switch self {
        case .number(let text):
            guard let number = Double(text), abs(number) < 1e15 else { return self }
            return .number(number == number.rounded() ? String(Int(number)) : "\(number)")
        case .array(let elements): return .array(elements.map(\.withPlainNumbers))
        case .object(let members):
            return .object(members.map { Member(name: $0.name, value: $0.value.withPlainNumbers) })
        case .null, .boolean, .string: return self
        }
    }

    /// The same with texts for numbers.
    var withTextForNumbers: JSONValue {
        switch self {
        case .number(let text): .string(text)
        case .array(let elements): .array(elements.map(\.withTextForNumbers))
        case .object(let members): .object(members.map { Member(name: $0.name, value: $0.value.withTextForNumbers) })
        case .null, .boolean, .string: self
        }
    }

    /// The same with the outermost members in the reverse order.
    var withReversedMembers: JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.reversed())
    }

    /// The parameters of an object, where its objects are taken for lists of their names.
    func withKeysForObjects(_ style: FlattenedJSON.Style) -> [(name: String, value: String)] {
        guard case .object(let members) = self else { return [] }
        return FlattenedJSON(
            .object(
                members.map { member in
                    guard case .object(let inner) = member.value else { return member }
                    return Member(name: member.name, value: .array(inner.map { .string($0.name) }))
                }
            ),
            style
        ).pairs
    }
}
