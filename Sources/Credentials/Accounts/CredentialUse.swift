/// The use that the configuration has for a credential which the vault holds under an account's name.
package enum CredentialUse: Sendable {
    /// The configuration has no API of that name.
    case unknownAPI
    /// The configuration does not name the account, and nobody can enrol any with its API.
    case unknownAccount
    /// The configuration does not name the account: only what was enrolled makes it one.
    case enrolled
    /// It is named, and its credential is obtained and kept in the vault.
    case obtained
    /// It is named, and has its token, or none, in the configuration.
    case unneeded
}
