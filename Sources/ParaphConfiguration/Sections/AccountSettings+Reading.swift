import Credentials
import Routing

extension AccountSettings {
    /// `accounts.NAME`
    static func read(
        _ value: Value,
        name: String,
        scheme: SchemeReading,
        addresses: ExchangeAddresses
    ) -> AccountReading? {
        value.checkAccountName(name)
        guard let section = value.section(or: (scheme.kind ?? .oauth1).advice) else { return nil }
        let source = TokenSource.read(section, kind: scheme.kind, addresses: addresses)
        let own = section["oauth1"].flatMap { readOwn($0, scheme: scheme) }
        section.finish()
        let settings = own?.settings()
        guard let source, own == nil || settings != nil else { return nil }
        return AccountReading(
            settings: AccountSettings(name: name, source: source, oauth1: settings),
            oauth1: own ?? scheme.oauth1,
            value: value
        )
    }

    private static func readOwn(_ value: Value, scheme: SchemeReading) -> OAuth1Block? {
        if let kind = scheme.kind, kind != .oauth1 {
            value.reportAtKey("is of no use: the API's requests are not signed, for it is \(kind.rawValue)")
            return nil
        }
        guard !value.isNull else { return nil }
        return value.section().map { OAuth1Block($0, inherited: scheme.oauth1) }
    }
}

extension Value {
    fileprivate func checkAccountName(_ name: String) {
        guard !Account.isUsable(name: name) else { return }
        context.report(
            "the name of an account has 1 to 128 bytes, no colon, and no blank at either end",
            at: keyPosition
        )
    }
}

/// An account that could be read, with what advice on it needs.
struct AccountReading {
    let settings: AccountSettings
    /// The block that its requests are signed by: its own, or else the API's.
    let oauth1: OAuth1Block?
    let value: Value
}
