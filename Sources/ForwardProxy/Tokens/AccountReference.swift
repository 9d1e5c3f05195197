/// Who a request is authorized as.
enum AccountReference: Hashable, Sendable {
    /// By place in the settings.
    case configured(api: Int, account: Int)
    /// By name: only the vault knows it.
    case enrolled(api: Int, name: String)

    /// The API's place in the settings.
    var api: Int {
        switch self {
        case .configured(let api, _), .enrolled(let api, _): api
        }
    }
}
