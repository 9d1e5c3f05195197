/// A JSON value as another reader has it; of the values that are no text only that they are well-formed.
enum AnyJSON: Decodable {
    case text(String)
    case other

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self = .text(text)
        } else {
            self = .other
        }
    }
}
