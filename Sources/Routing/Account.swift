/// Who a request is signed as.
package struct Account: Hashable, Sendable {
    /// The account that serves requests that name nobody.
    package static let defaultName = "default"

    /// The account's place in its API's list of accounts.
    package let index: Int
    package let name: String
}
