/// The ways to an account's token, by the key that each is written with.
package enum AccountKind: String, Sendable, CaseIterable {
    case token
    case threeLegged = "three_legged"
    case reverseAuth = "reverse_auth"
    case xAuth = "xauth"
    case twoLegged = "two_legged"
    case password
}
