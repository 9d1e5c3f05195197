import Credentials

/// The account that a request is authorized as.
enum AccountReference: Sendable {
    /// An account by its place in the settings.
    case configured(api: Int, account: Int)
    /// An account by its name: only the vault knows it.
    case enrolled(api: Int, name: String)

    /// The API's place in the settings.
    var api: Int {
        switch self {
        case .configured(let api, _), .enrolled(let api, _): api
        }
    }
}

/// Names are the same when their bytes are, as in the vault.
extension AccountReference: Hashable {
    static func == (one: Self, other: Self) -> Bool {
        switch (one, other) {
        case (.configured(let api, let account), .configured(api: let otherAPI, account: let otherAccount)):
            api == otherAPI && account == otherAccount
        case (.enrolled(let api, let name), .enrolled(api: let otherAPI, name: let otherName)):
            api == otherAPI && sameBytes(name, otherName)
        case (.configured, .enrolled), (.enrolled, .configured): false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch self {
        case .configured(let api, let account):
            hasher.combine(api)
            hasher.combine(account)
        case .enrolled(let api, var name):
            hasher.combine(api)
            name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }
}
