/// The user whose token it is, as X and Facebook tell it.
struct IdentityReport: Encodable {
    /// A number where the id is one.
    private enum Identifier: Encodable {
        case number(UInt64)
        case text(String)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            }
        }
    }

    private let id: Identifier
    private let id_str: String
    private let name: String
    private let screen_name: String

    init(user: ProviderUser) {
        id = UInt64(user.id).map(Identifier.number) ?? .text(user.id)
        id_str = user.id
        name = user.screenName
        screen_name = user.screenName
    }
}
