import Credentials

/// An account that could be read, with what advice on it needs.
struct AccountReading {
    let settings: AccountSettings
    /// The block that its requests are signed by: its own, or else the API's.
    let oauth1: OAuth1Block?
    let value: Value
}
